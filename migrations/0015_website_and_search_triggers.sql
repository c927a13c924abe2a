-- A row for each name: writes count on its being there.
INSERT INTO agency_versions (name, version) VALUES ('definitions', 0), ('agency', 0);
--> statement-breakpoint
INSERT INTO feed_changes (name, version, date) VALUES ('shown', 0, datetime('now')), ('chosen', 0, datetime('now'));
--> statement-breakpoint
-- The keys of before have 0 bytes.
INSERT INTO idempotency_total (id, bytes) VALUES (1, 0);
--> statement-breakpoint
-- Keeps idempotency_usage: how many idempotency keys are kept of each API key, and how many bytes.
CREATE TRIGGER idempotency_usage_insert AFTER INSERT ON idempotency_keys WHEN new.api_key <> '' BEGIN
  INSERT INTO idempotency_usage (api_key, keys, bytes) VALUES (new.api_key, 1, new.bytes)
  ON CONFLICT DO UPDATE SET keys = keys + 1, bytes = bytes + excluded.bytes;
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_usage_update AFTER UPDATE OF bytes ON idempotency_keys
WHEN new.api_key <> '' AND old.bytes <> new.bytes BEGIN
  UPDATE idempotency_usage SET bytes = bytes + new.bytes - old.bytes WHERE api_key = new.api_key;
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_usage_delete AFTER DELETE ON idempotency_keys WHEN old.api_key <> '' BEGIN
  UPDATE idempotency_usage SET keys = keys - 1, bytes = bytes - old.bytes WHERE api_key = old.api_key;
  DELETE FROM idempotency_usage WHERE api_key = old.api_key AND keys <= 0;
END;
--> statement-breakpoint
-- Keeps enquiry_usage: the new enquiries that each key for visitors has sent. Agents may always set a status.
CREATE TRIGGER enquiry_usage_insert AFTER INSERT ON enquiries WHEN new.sent_by <> '' AND new.status = 'new' BEGIN
  INSERT INTO enquiry_usage (api_key, enquiries, bytes) VALUES (new.sent_by, 1, new.bytes)
  ON CONFLICT DO UPDATE SET enquiries = enquiries + 1, bytes = bytes + excluded.bytes;
  SELECT RAISE(ABORT, 'enquiry_room') FROM enquiry_usage
  WHERE api_key = new.sent_by AND (enquiries > 5000 OR bytes > 20000000);
END;
--> statement-breakpoint
CREATE TRIGGER enquiry_usage_update AFTER UPDATE OF status ON enquiries
WHEN old.sent_by <> '' AND (old.status = 'new') <> (new.status = 'new') BEGIN
  INSERT INTO enquiry_usage (api_key, enquiries, bytes)
  VALUES (old.sent_by, iif(new.status = 'new', 1, -1), iif(new.status = 'new', old.bytes, -old.bytes))
  ON CONFLICT DO UPDATE SET enquiries = enquiries + excluded.enquiries, bytes = bytes + excluded.bytes;
  DELETE FROM enquiry_usage WHERE api_key = old.sent_by AND enquiries <= 0;
END;
--> statement-breakpoint
CREATE TRIGGER enquiry_usage_delete AFTER DELETE ON enquiries WHEN old.sent_by <> '' AND old.status = 'new' BEGIN
  UPDATE enquiry_usage SET enquiries = enquiries - 1, bytes = bytes - old.bytes WHERE api_key = old.sent_by;
  DELETE FROM enquiry_usage WHERE api_key = old.sent_by AND enquiries <= 0;
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_total_insert AFTER INSERT ON idempotency_keys WHEN new.bytes > 0 BEGIN
  UPDATE idempotency_total SET bytes = bytes + new.bytes + 500;
  SELECT RAISE(ABORT, 'idempotency_room_of_all') FROM idempotency_total WHERE bytes > 2000000000;
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_total_update AFTER UPDATE OF bytes ON idempotency_keys WHEN new.bytes > old.bytes BEGIN
  UPDATE idempotency_total SET bytes = bytes + new.bytes - old.bytes + iif(old.bytes = 0, 500, 0);
  SELECT RAISE(ABORT, 'idempotency_room_of_all') FROM idempotency_total WHERE bytes > 2000000000;
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_total_shrink AFTER UPDATE OF bytes ON idempotency_keys WHEN new.bytes < old.bytes BEGIN
  UPDATE idempotency_total SET bytes = bytes + new.bytes - old.bytes - iif(new.bytes = 0, 500, 0);
END;
--> statement-breakpoint
CREATE TRIGGER idempotency_total_delete AFTER DELETE ON idempotency_keys WHEN old.bytes > 0 BEGIN
  UPDATE idempotency_total SET bytes = bytes - old.bytes - 500;
END;
--> statement-breakpoint
DROP TRIGGER changes_external_listings_insert;
--> statement-breakpoint
DROP TRIGGER changes_external_listings_update;
--> statement-breakpoint
CREATE TRIGGER changes_external_listings_insert AFTER INSERT ON external_listings
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_external_listings_update AFTER UPDATE OF date_updated ON external_listings
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'external-listings', new.id, iif(new.is_deleted, 'deleted', 'changed'), datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_enquiries_insert AFTER INSERT ON enquiries
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'enquiries', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_enquiries_update AFTER UPDATE OF version ON enquiries WHEN old.version <> new.version
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'enquiries', new.id, 'changed', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER changes_enquiries_delete AFTER DELETE ON enquiries
BEGIN
  INSERT INTO changes (cursor, resource, id, change, date)
  VALUES ((SELECT ifnull(max(cursor), 0) FROM changes) + 1, 'enquiries', old.id, 'deleted', datetime('now'))
  ON CONFLICT (resource, id) DO UPDATE SET cursor = excluded.cursor, change = excluded.change, date = excluded.date;
END;
--> statement-breakpoint
CREATE TRIGGER enquiries_highest_id AFTER INSERT ON enquiries WHEN new.id > 1099511627776
BEGIN
  SELECT RAISE(ABORT, 'No id is left');
END;
--> statement-breakpoint
CREATE TRIGGER public_listings_insert AFTER INSERT ON listings WHEN new.status = 'active'
BEGIN
  INSERT INTO public_listings (id, store_id, price, price_per_sqm, has_photos, latitude, longitude, date_updated, shown, photo_sizes)
  SELECT id,
    store_id,
    (case when not coalesce(extra ->> '$.has_hidden_price', 0) then price end),
    (case when not coalesce(extra ->> '$.has_hidden_price', 0) then price_per_sqm end),
    exists (select 1 from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null),
    (case (case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end) when 'exact' then latitude when 'circle' then fake_latitude end),
    (case (case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end) when 'exact' then longitude when 'circle' then fake_longitude end),
    date_updated,
    json_patch(json_patch(json_patch(json_patch(json_patch(json_patch('{}', json_object(
    'store_id', store_id,
    'code', code,
    'category', category,
    'availability', availability,
    'date_listed', status_date,
    'subcategory', subcategory,
    'subtype', subtype,
    'price', (case when not coalesce(extra ->> '$.has_hidden_price', 0) then price end),
    'size', (case when size is not null then json(format('%!.17g', size)) end),
    'price_per_sqm', (case when not coalesce(extra ->> '$.has_hidden_price', 0) then (case when price_per_sqm is not null then json(format('%!.17g', price_per_sqm)) end) end),
    'floor', (case when floor is not null then json(format('%!.17g', floor)) end),
    'levels', levels,
    'rooms', rooms,
    'bathrooms', bathrooms,
    'year_built', year_built,
    'property_condition', property_condition)), json_object(
    'wcs', json(details -> '$.wcs'),
    'living_rooms', json(details -> '$.living_rooms'),
    'kitchens', json(details -> '$.kitchens'),
    'master_bedrooms', json(details -> '$.master_bedrooms'),
    'total_building_floors', json(details -> '$.total_building_floors'),
    'year_renovated', json(details -> '$.year_renovated'),
    'completion_year', json(details -> '$.completion_year'),
    'parking_open_sheltered', json(details -> '$.parking_open_sheltered'),
    'parking_open_unsheltered', json(details -> '$.parking_open_unsheltered'),
    'parking_garage', json(details -> '$.parking_garage'),
    'parking_total', json(details -> '$.parking_total'),
    'heating_type', json(details -> '$.heating_type'),
    'heating_source', json(details -> '$.heating_source'),
    'frames', json(details -> '$.frames'),
    'frames_glass', json(details -> '$.frames_glass'),
    'construction_type', json(details -> '$.construction_type'))), json_object(
    'garden', json(details -> '$.garden'),
    'zoning', json(details -> '$.zoning'),
    'land_size', json(details -> '$.land_size'),
    'coverage_ratio', json(details -> '$.coverage_ratio'),
    'build_ratio', json(details -> '$.build_ratio'),
    'max_height', json(details -> '$.max_height'),
    'land_use', json(details -> '$.land_use'),
    'thermal_break', json(details -> '$.thermal_break'),
    'video_url', json(extra -> '$.video_url'),
    'virtual_tour_url', json(extra -> '$.virtual_tour_url'),
    'auction_code', json(extra -> '$.auction_code'),
    'auction_url', json(extra -> '$.auction_url'),
    'distance_sea', json(extra -> '$.distance_sea'),
    'distance_airport', json(extra -> '$.distance_airport'),
    'distance_city', json(extra -> '$.distance_city'),
    'distance_market', json(extra -> '$.distance_market'))), json_object(
    'monthly_maintenance', json(extra -> '$.monthly_maintenance'),
    'shortterm_min_stay', json(extra -> '$.shortterm_min_stay'),
    'shortterm_max_guests', json(extra -> '$.shortterm_max_guests'),
    'available_from', json(extra -> '$.available_from'),
    'auction_date', json(extra -> '$.auction_date'),
    'has_hidden_price', json(extra -> '$.has_hidden_price'),
    'is_negotiable', json(extra -> '$.is_negotiable'),
    'orientation', json(extra -> '$.orientation'),
    'energy_class', json(extra -> '$.energy_class'),
    'frontage_length', json(extra -> '$.frontage_length'),
    'shop_window_length', json(extra -> '$.shop_window_length'),
    'balcony_size', json(extra -> '$.balcony_size'),
    'storage_size', json(extra -> '$.storage_size'),
    'garden_size', json(extra -> '$.garden_size'),
    'rooftop_size', json(extra -> '$.rooftop_size'),
    'land_slope', json(extra -> '$.land_slope'))), json_object(
    'access_type', json(extra -> '$.access_type'),
    'shortterm_unit', json(extra -> '$.shortterm_unit'),
    'planning_status', json(extra -> '$.planning_status'),
    'area_level1', area_level1,
    'area_level2', area_level2,
    'area_level3', area_level3,
    'postal_code', (case display_address when 'real' then postal_code end),
    'address', (case display_address when 'real' then address_el when 'fake' then fake_address_el end),
    'address_en', (case display_address when 'real' then address_en end),
    'latitude', (case (case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end) when 'exact' then (case when latitude is not null then json(format('%!.17g', latitude)) end) when 'circle' then (case when fake_latitude is not null then json(format('%!.17g', fake_latitude)) end) end),
    'longitude', (case (case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end) when 'exact' then (case when longitude is not null then json(format('%!.17g', longitude)) end) when 'circle' then (case when fake_longitude is not null then json(format('%!.17g', fake_longitude)) end) end),
    'precision', (case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end),
    'features', json(features),
    'positioning', json(positioning),
    'view', json(view),
    'flooring', json(flooring))), json_object(
    'photos', (select json_group_array((case when kind = 'photo' and captions = '[]' then coalesce(watermark_image, original_image)
      else json_object('image', coalesce(watermark_image, original_image), 'kind', kind, 'captions', json(captions)) end))
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by abs(ordernum))),
    'panoramas', (select json_group_array(json_object('image', image, 'thumb', thumb))
    from (select * from listing_panoramas where listing_id = listings.id and true order by abs(ordernum))),
    'tour_token', (case when exists (select 1 from listing_panoramas where listing_id = listings.id) then tour_token end),
    'translations', (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description))
    from (select * from listing_translations where listing_id = listings.id
      and (title is not null or description is not null) order by language_id)))),
    (select json_group_array((case when width > 0 then json_array(width, height) end))
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by abs(ordernum)))
  FROM listings WHERE id = new.id AND listings.status = 'active'
  ON CONFLICT (id) DO UPDATE SET id = excluded.id, store_id = excluded.store_id, price = excluded.price, price_per_sqm = excluded.price_per_sqm, has_photos = excluded.has_photos, latitude = excluded.latitude, longitude = excluded.longitude, date_updated = iif(public_listings.shown <> excluded.shown, excluded.date_updated, public_listings.date_updated), shown = excluded.shown, photo_sizes = excluded.photo_sizes
  WHERE public_listings.shown <> excluded.shown OR public_listings.photo_sizes <> excluded.photo_sizes;
END;
--> statement-breakpoint
CREATE TRIGGER public_listings_update AFTER UPDATE OF version, tour_token ON listings WHEN new.status = 'active'
BEGIN
  INSERT INTO public_listings (id, store_id, price, price_per_sqm, has_photos, latitude, longitude, date_updated, shown, photo_sizes)
  SELECT id,
    store_id,
    (case when not coalesce(extra ->> '$.has_hidden_price', 0) then price end),
    (case when not coalesce(extra ->> '$.has_hidden_price', 0) then price_per_sqm end),
    exists (select 1 from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null),
    (case (case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end) when 'exact' then latitude when 'circle' then fake_latitude end),
    (case (case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end) when 'exact' then longitude when 'circle' then fake_longitude end),
    date_updated,
    json_patch(json_patch(json_patch(json_patch(json_patch(json_patch('{}', json_object(
    'store_id', store_id,
    'code', code,
    'category', category,
    'availability', availability,
    'date_listed', status_date,
    'subcategory', subcategory,
    'subtype', subtype,
    'price', (case when not coalesce(extra ->> '$.has_hidden_price', 0) then price end),
    'size', (case when size is not null then json(format('%!.17g', size)) end),
    'price_per_sqm', (case when not coalesce(extra ->> '$.has_hidden_price', 0) then (case when price_per_sqm is not null then json(format('%!.17g', price_per_sqm)) end) end),
    'floor', (case when floor is not null then json(format('%!.17g', floor)) end),
    'levels', levels,
    'rooms', rooms,
    'bathrooms', bathrooms,
    'year_built', year_built,
    'property_condition', property_condition)), json_object(
    'wcs', json(details -> '$.wcs'),
    'living_rooms', json(details -> '$.living_rooms'),
    'kitchens', json(details -> '$.kitchens'),
    'master_bedrooms', json(details -> '$.master_bedrooms'),
    'total_building_floors', json(details -> '$.total_building_floors'),
    'year_renovated', json(details -> '$.year_renovated'),
    'completion_year', json(details -> '$.completion_year'),
    'parking_open_sheltered', json(details -> '$.parking_open_sheltered'),
    'parking_open_unsheltered', json(details -> '$.parking_open_unsheltered'),
    'parking_garage', json(details -> '$.parking_garage'),
    'parking_total', json(details -> '$.parking_total'),
    'heating_type', json(details -> '$.heating_type'),
    'heating_source', json(details -> '$.heating_source'),
    'frames', json(details -> '$.frames'),
    'frames_glass', json(details -> '$.frames_glass'),
    'construction_type', json(details -> '$.construction_type'))), json_object(
    'garden', json(details -> '$.garden'),
    'zoning', json(details -> '$.zoning'),
    'land_size', json(details -> '$.land_size'),
    'coverage_ratio', json(details -> '$.coverage_ratio'),
    'build_ratio', json(details -> '$.build_ratio'),
    'max_height', json(details -> '$.max_height'),
    'land_use', json(details -> '$.land_use'),
    'thermal_break', json(details -> '$.thermal_break'),
    'video_url', json(extra -> '$.video_url'),
    'virtual_tour_url', json(extra -> '$.virtual_tour_url'),
    'auction_code', json(extra -> '$.auction_code'),
    'auction_url', json(extra -> '$.auction_url'),
    'distance_sea', json(extra -> '$.distance_sea'),
    'distance_airport', json(extra -> '$.distance_airport'),
    'distance_city', json(extra -> '$.distance_city'),
    'distance_market', json(extra -> '$.distance_market'))), json_object(
    'monthly_maintenance', json(extra -> '$.monthly_maintenance'),
    'shortterm_min_stay', json(extra -> '$.shortterm_min_stay'),
    'shortterm_max_guests', json(extra -> '$.shortterm_max_guests'),
    'available_from', json(extra -> '$.available_from'),
    'auction_date', json(extra -> '$.auction_date'),
    'has_hidden_price', json(extra -> '$.has_hidden_price'),
    'is_negotiable', json(extra -> '$.is_negotiable'),
    'orientation', json(extra -> '$.orientation'),
    'energy_class', json(extra -> '$.energy_class'),
    'frontage_length', json(extra -> '$.frontage_length'),
    'shop_window_length', json(extra -> '$.shop_window_length'),
    'balcony_size', json(extra -> '$.balcony_size'),
    'storage_size', json(extra -> '$.storage_size'),
    'garden_size', json(extra -> '$.garden_size'),
    'rooftop_size', json(extra -> '$.rooftop_size'),
    'land_slope', json(extra -> '$.land_slope'))), json_object(
    'access_type', json(extra -> '$.access_type'),
    'shortterm_unit', json(extra -> '$.shortterm_unit'),
    'planning_status', json(extra -> '$.planning_status'),
    'area_level1', area_level1,
    'area_level2', area_level2,
    'area_level3', area_level3,
    'postal_code', (case display_address when 'real' then postal_code end),
    'address', (case display_address when 'real' then address_el when 'fake' then fake_address_el end),
    'address_en', (case display_address when 'real' then address_en end),
    'latitude', (case (case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end) when 'exact' then (case when latitude is not null then json(format('%!.17g', latitude)) end) when 'circle' then (case when fake_latitude is not null then json(format('%!.17g', fake_latitude)) end) end),
    'longitude', (case (case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end) when 'exact' then (case when longitude is not null then json(format('%!.17g', longitude)) end) when 'circle' then (case when fake_longitude is not null then json(format('%!.17g', fake_longitude)) end) end),
    'precision', (case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end),
    'features', json(features),
    'positioning', json(positioning),
    'view', json(view),
    'flooring', json(flooring))), json_object(
    'photos', (select json_group_array((case when kind = 'photo' and captions = '[]' then coalesce(watermark_image, original_image)
      else json_object('image', coalesce(watermark_image, original_image), 'kind', kind, 'captions', json(captions)) end))
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by abs(ordernum))),
    'panoramas', (select json_group_array(json_object('image', image, 'thumb', thumb))
    from (select * from listing_panoramas where listing_id = listings.id and true order by abs(ordernum))),
    'tour_token', (case when exists (select 1 from listing_panoramas where listing_id = listings.id) then tour_token end),
    'translations', (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description))
    from (select * from listing_translations where listing_id = listings.id
      and (title is not null or description is not null) order by language_id)))),
    (select json_group_array((case when width > 0 then json_array(width, height) end))
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by abs(ordernum)))
  FROM listings WHERE id = new.id AND listings.status = 'active'
  ON CONFLICT (id) DO UPDATE SET id = excluded.id, store_id = excluded.store_id, price = excluded.price, price_per_sqm = excluded.price_per_sqm, has_photos = excluded.has_photos, latitude = excluded.latitude, longitude = excluded.longitude, date_updated = iif(public_listings.shown <> excluded.shown, excluded.date_updated, public_listings.date_updated), shown = excluded.shown, photo_sizes = excluded.photo_sizes
  WHERE public_listings.shown <> excluded.shown OR public_listings.photo_sizes <> excluded.photo_sizes;
END;
--> statement-breakpoint
CREATE TRIGGER public_listings_leave AFTER UPDATE OF status ON listings WHEN old.status = 'active' AND new.status <> 'active'
BEGIN
  DELETE FROM public_listings WHERE id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER public_listings_delete BEFORE DELETE ON listings
BEGIN
  DELETE FROM public_listings WHERE id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_photos_insert AFTER INSERT ON listing_photos
BEGIN
  UPDATE listings SET tour_token = tour_token WHERE id = new.listing_id AND listings.status = 'active';
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_photos_update AFTER UPDATE ON listing_photos
BEGIN
  UPDATE listings SET tour_token = tour_token WHERE id = new.listing_id AND listings.status = 'active';
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_photos_delete AFTER DELETE ON listing_photos
BEGIN
  UPDATE listings SET tour_token = tour_token WHERE id = old.listing_id AND listings.status = 'active';
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_panoramas_insert AFTER INSERT ON listing_panoramas
BEGIN
  UPDATE listings SET tour_token = tour_token WHERE id = new.listing_id AND listings.status = 'active';
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_panoramas_update AFTER UPDATE ON listing_panoramas
BEGIN
  UPDATE listings SET tour_token = tour_token WHERE id = new.listing_id AND listings.status = 'active';
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_panoramas_delete AFTER DELETE ON listing_panoramas
BEGIN
  UPDATE listings SET tour_token = tour_token WHERE id = old.listing_id AND listings.status = 'active';
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_translations_insert AFTER INSERT ON listing_translations
BEGIN
  UPDATE listings SET tour_token = tour_token WHERE id = new.listing_id AND listings.status = 'active';
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_translations_update AFTER UPDATE ON listing_translations
BEGIN
  UPDATE listings SET tour_token = tour_token WHERE id = new.listing_id AND listings.status = 'active';
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_translations_delete AFTER DELETE ON listing_translations
BEGIN
  UPDATE listings SET tour_token = tour_token WHERE id = old.listing_id AND listings.status = 'active';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_public_listings_insert AFTER INSERT ON public_listings
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_public_listings_update AFTER UPDATE ON public_listings
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_public_listings_delete AFTER DELETE ON public_listings
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_locations_update AFTER UPDATE OF name_el, name_en, full_name_el, full_name_en ON locations WHEN old.name_el IS NOT new.name_el OR old.name_en IS NOT new.name_en OR old.full_name_el IS NOT new.full_name_el OR old.full_name_en IS NOT new.full_name_en
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listings_address AFTER UPDATE OF address_el, display_address ON listings
  WHEN 'fake' IN (old.display_address, new.display_address) AND new.fake_address_el IS NOT NULL AND (old.address_el IS NOT new.address_el OR old.display_address IS NOT new.display_address) AND EXISTS (SELECT 1 FROM public_listings WHERE id = new.id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_languages_insert AFTER INSERT ON languages
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_languages_update AFTER UPDATE OF code ON languages WHEN old.code IS NOT new.code
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_languages_delete AFTER DELETE ON languages
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_tag_links_insert AFTER INSERT ON listing_tag_links WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = new.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'chosen';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_tag_links_delete AFTER DELETE ON listing_tag_links WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = old.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'chosen';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_users_insert AFTER INSERT ON listing_users WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = new.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'chosen';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listing_users_delete AFTER DELETE ON listing_users WHEN EXISTS (SELECT 1 FROM public_listings WHERE id = old.listing_id)
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'chosen';
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_listings_update AFTER UPDATE OF date_created ON listings WHEN old.date_created IS NOT new.date_created
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'chosen';
END;
