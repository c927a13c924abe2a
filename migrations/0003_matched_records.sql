-- What is matched anew once the columns are there: every request, with all listings. That finds every pair, so
-- nothing else has to be.
UPDATE listings SET matched_version = version;
--> statement-breakpoint
UPDATE requests SET matched_version = version WHERE is_deleted = 1;
