-- A row for each name: writes count on its being there.
INSERT INTO agency_versions (name, version) VALUES ('definitions', 0), ('agency', 0);
