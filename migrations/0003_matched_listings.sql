-- What is matched anew once the columns are there: every request, with all listings. That finds every pair, so of
-- the listings none has to be.
UPDATE listings SET matched_version = version WHERE status = 'active';
