CREATE TABLE `id_floors` (
	`name` text PRIMARY KEY NOT NULL,
	`id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `restores` (
	`id` integer PRIMARY KEY NOT NULL,
	`backup` text NOT NULL,
	`date_started` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `index_forms` (
	`form` text PRIMARY KEY NOT NULL,
	`used` integer NOT NULL,
	`held_until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `index_portion_data` (
	`portion_id` integer PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	FOREIGN KEY (`portion_id`) REFERENCES `index_portions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `index_portions` (
	`id` integer PRIMARY KEY NOT NULL,
	`form` text NOT NULL,
	`first_id` integer NOT NULL,
	`last_id` integer NOT NULL,
	`rows` integer NOT NULL,
	`cursor` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `index_portions_by_range` ON `index_portions` (`form`,`first_id`);--> statement-breakpoint
CREATE TABLE `key_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`changes` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `job_failures` (
	`job` text NOT NULL,
	`resource` text NOT NULL,
	`id` integer NOT NULL,
	`error` text NOT NULL,
	`failures` integer NOT NULL,
	`due` integer NOT NULL,
	PRIMARY KEY(`job`, `resource`, `id`)
);
--> statement-breakpoint
CREATE TABLE `job_leases` (
	`cron` text PRIMARY KEY NOT NULL,
	`run` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `derivations` ADD `replaced` text;--> statement-breakpoint
ALTER TABLE `derivations` ADD `used` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `erased_records` ADD `date` text;--> statement-breakpoint
ALTER TABLE `public_listings` ADD `pictures_deferred` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `requests` ADD `match_count` integer;--> statement-breakpoint
CREATE INDEX `trail_by_refused` ON `trail` (`actor_id`,`date`) WHERE status = 403;
--> statement-breakpoint
DROP TRIGGER public_listings_insert;
--> statement-breakpoint
DROP TRIGGER public_listings_update;
--> statement-breakpoint
DROP TRIGGER public_listing_photos_insert;
--> statement-breakpoint
DROP TRIGGER public_listing_photos_update;
--> statement-breakpoint
DROP TRIGGER public_listing_photos_delete;
--> statement-breakpoint
DROP TRIGGER public_listing_panoramas_insert;
--> statement-breakpoint
DROP TRIGGER public_listing_panoramas_update;
--> statement-breakpoint
DROP TRIGGER public_listing_panoramas_delete;
--> statement-breakpoint
DROP TRIGGER public_listing_translations_insert;
--> statement-breakpoint
DROP TRIGGER public_listing_translations_update;
--> statement-breakpoint
DROP TRIGGER public_listing_translations_delete;
--> statement-breakpoint
DROP TRIGGER feed_changes_public_listings_update;
--> statement-breakpoint
CREATE TRIGGER public_listings_insert AFTER INSERT ON listings WHEN new.status = 'active'
BEGIN
  INSERT INTO public_listings (id, store_id, price, price_per_sqm, has_photos, latitude, longitude, date_updated, shown, photo_sizes)
  SELECT id,
    store_id,
    (case when not coalesce(extra ->> '$.has_hidden_price', 0) then price end),
    (case when not coalesce(extra ->> '$.has_hidden_price', 0) then price_per_sqm end),
    ifnull((select has_photos from public_listings where id = listings.id), exists (select 1 from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null)),
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
    'wcs', details -> '$.wcs',
    'living_rooms', details -> '$.living_rooms',
    'kitchens', details -> '$.kitchens',
    'master_bedrooms', details -> '$.master_bedrooms',
    'total_building_floors', details -> '$.total_building_floors',
    'year_renovated', details -> '$.year_renovated',
    'completion_year', details -> '$.completion_year',
    'parking_open_sheltered', details -> '$.parking_open_sheltered',
    'parking_open_unsheltered', details -> '$.parking_open_unsheltered',
    'parking_garage', details -> '$.parking_garage',
    'parking_total', details -> '$.parking_total',
    'heating_type', details -> '$.heating_type',
    'heating_source', details -> '$.heating_source',
    'frames', details -> '$.frames',
    'frames_glass', details -> '$.frames_glass',
    'construction_type', details -> '$.construction_type')), json_object(
    'garden', details -> '$.garden',
    'zoning', details -> '$.zoning',
    'land_size', details -> '$.land_size',
    'coverage_ratio', details -> '$.coverage_ratio',
    'build_ratio', details -> '$.build_ratio',
    'max_height', details -> '$.max_height',
    'land_use', details -> '$.land_use',
    'thermal_break', details -> '$.thermal_break',
    'video_url', extra -> '$.video_url',
    'virtual_tour_url', extra -> '$.virtual_tour_url',
    'auction_code', extra -> '$.auction_code',
    'auction_url', extra -> '$.auction_url',
    'distance_sea', extra -> '$.distance_sea',
    'distance_airport', extra -> '$.distance_airport',
    'distance_city', extra -> '$.distance_city',
    'distance_market', extra -> '$.distance_market')), json_object(
    'monthly_maintenance', extra -> '$.monthly_maintenance',
    'shortterm_min_stay', extra -> '$.shortterm_min_stay',
    'shortterm_max_guests', extra -> '$.shortterm_max_guests',
    'available_from', extra -> '$.available_from',
    'auction_date', extra -> '$.auction_date',
    'has_hidden_price', extra -> '$.has_hidden_price',
    'is_negotiable', extra -> '$.is_negotiable',
    'orientation', extra -> '$.orientation',
    'energy_class', extra -> '$.energy_class',
    'frontage_length', extra -> '$.frontage_length',
    'shop_window_length', extra -> '$.shop_window_length',
    'balcony_size', extra -> '$.balcony_size',
    'storage_size', extra -> '$.storage_size',
    'garden_size', extra -> '$.garden_size',
    'rooftop_size', extra -> '$.rooftop_size',
    'land_slope', extra -> '$.land_slope')), json_object(
    'access_type', extra -> '$.access_type',
    'shortterm_unit', extra -> '$.shortterm_unit',
    'planning_status', extra -> '$.planning_status',
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
    'photos', json(ifnull((select shown -> '$.photos' from public_listings where id = listings.id), (select json_group_array((case when kind = 'photo' and captions = '[]' then coalesce(watermark_image, original_image)
      else json_object('image', coalesce(watermark_image, original_image), 'kind', kind, 'captions', json(captions)) end))
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by ordernum)))),
    'panoramas', json(ifnull((select shown -> '$.panoramas' from public_listings where id = listings.id), (select json_group_array(json_object('image', image, 'thumb', thumb))
    from (select * from listing_panoramas where listing_id = listings.id and true order by ordernum)))),
    'tour_token', (case when exists (select 1 from listing_panoramas where listing_id = listings.id) then tour_token end),
    'translations', json(ifnull((select shown -> '$.translations' from public_listings where id = listings.id), (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description))
    from (select * from listing_translations where listing_id = listings.id
      and (title is not null or description is not null) order by language_id)))))),
    ifnull((select photo_sizes from public_listings where id = listings.id), (select json_group_array((case when width > 0 then json_array(width, height) end))
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by ordernum)))
  FROM listings WHERE id = new.id AND listings.status = 'active'
  ON CONFLICT (id) DO UPDATE SET id = excluded.id, store_id = excluded.store_id, price = excluded.price, price_per_sqm = excluded.price_per_sqm, has_photos = excluded.has_photos, latitude = excluded.latitude, longitude = excluded.longitude, date_updated = iif(public_listings.shown <> excluded.shown, excluded.date_updated, public_listings.date_updated), shown = excluded.shown, photo_sizes = excluded.photo_sizes
  WHERE public_listings.shown <> excluded.shown;
END;
--> statement-breakpoint
CREATE TRIGGER public_listings_update AFTER UPDATE OF version, tour_token ON listings WHEN new.status = 'active'
BEGIN
  INSERT INTO public_listings (id, store_id, price, price_per_sqm, has_photos, latitude, longitude, date_updated, shown, photo_sizes)
  SELECT id,
    store_id,
    (case when not coalesce(extra ->> '$.has_hidden_price', 0) then price end),
    (case when not coalesce(extra ->> '$.has_hidden_price', 0) then price_per_sqm end),
    ifnull((select has_photos from public_listings where id = listings.id), exists (select 1 from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null)),
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
    'wcs', details -> '$.wcs',
    'living_rooms', details -> '$.living_rooms',
    'kitchens', details -> '$.kitchens',
    'master_bedrooms', details -> '$.master_bedrooms',
    'total_building_floors', details -> '$.total_building_floors',
    'year_renovated', details -> '$.year_renovated',
    'completion_year', details -> '$.completion_year',
    'parking_open_sheltered', details -> '$.parking_open_sheltered',
    'parking_open_unsheltered', details -> '$.parking_open_unsheltered',
    'parking_garage', details -> '$.parking_garage',
    'parking_total', details -> '$.parking_total',
    'heating_type', details -> '$.heating_type',
    'heating_source', details -> '$.heating_source',
    'frames', details -> '$.frames',
    'frames_glass', details -> '$.frames_glass',
    'construction_type', details -> '$.construction_type')), json_object(
    'garden', details -> '$.garden',
    'zoning', details -> '$.zoning',
    'land_size', details -> '$.land_size',
    'coverage_ratio', details -> '$.coverage_ratio',
    'build_ratio', details -> '$.build_ratio',
    'max_height', details -> '$.max_height',
    'land_use', details -> '$.land_use',
    'thermal_break', details -> '$.thermal_break',
    'video_url', extra -> '$.video_url',
    'virtual_tour_url', extra -> '$.virtual_tour_url',
    'auction_code', extra -> '$.auction_code',
    'auction_url', extra -> '$.auction_url',
    'distance_sea', extra -> '$.distance_sea',
    'distance_airport', extra -> '$.distance_airport',
    'distance_city', extra -> '$.distance_city',
    'distance_market', extra -> '$.distance_market')), json_object(
    'monthly_maintenance', extra -> '$.monthly_maintenance',
    'shortterm_min_stay', extra -> '$.shortterm_min_stay',
    'shortterm_max_guests', extra -> '$.shortterm_max_guests',
    'available_from', extra -> '$.available_from',
    'auction_date', extra -> '$.auction_date',
    'has_hidden_price', extra -> '$.has_hidden_price',
    'is_negotiable', extra -> '$.is_negotiable',
    'orientation', extra -> '$.orientation',
    'energy_class', extra -> '$.energy_class',
    'frontage_length', extra -> '$.frontage_length',
    'shop_window_length', extra -> '$.shop_window_length',
    'balcony_size', extra -> '$.balcony_size',
    'storage_size', extra -> '$.storage_size',
    'garden_size', extra -> '$.garden_size',
    'rooftop_size', extra -> '$.rooftop_size',
    'land_slope', extra -> '$.land_slope')), json_object(
    'access_type', extra -> '$.access_type',
    'shortterm_unit', extra -> '$.shortterm_unit',
    'planning_status', extra -> '$.planning_status',
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
    'photos', json(ifnull((select shown -> '$.photos' from public_listings where id = listings.id), (select json_group_array((case when kind = 'photo' and captions = '[]' then coalesce(watermark_image, original_image)
      else json_object('image', coalesce(watermark_image, original_image), 'kind', kind, 'captions', json(captions)) end))
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by ordernum)))),
    'panoramas', json(ifnull((select shown -> '$.panoramas' from public_listings where id = listings.id), (select json_group_array(json_object('image', image, 'thumb', thumb))
    from (select * from listing_panoramas where listing_id = listings.id and true order by ordernum)))),
    'tour_token', (case when exists (select 1 from listing_panoramas where listing_id = listings.id) then tour_token end),
    'translations', json(ifnull((select shown -> '$.translations' from public_listings where id = listings.id), (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description))
    from (select * from listing_translations where listing_id = listings.id
      and (title is not null or description is not null) order by language_id)))))),
    ifnull((select photo_sizes from public_listings where id = listings.id), (select json_group_array((case when width > 0 then json_array(width, height) end))
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by ordernum)))
  FROM listings WHERE id = new.id AND listings.status = 'active'
  ON CONFLICT (id) DO UPDATE SET id = excluded.id, store_id = excluded.store_id, price = excluded.price, price_per_sqm = excluded.price_per_sqm, has_photos = excluded.has_photos, latitude = excluded.latitude, longitude = excluded.longitude, date_updated = iif(public_listings.shown <> excluded.shown, excluded.date_updated, public_listings.date_updated), shown = excluded.shown, photo_sizes = excluded.photo_sizes
  WHERE public_listings.shown <> excluded.shown;
END;
--> statement-breakpoint
CREATE TRIGGER public_pictures AFTER UPDATE OF pictures_deferred ON public_listings WHEN new.pictures_deferred = 0
BEGIN
  UPDATE public_listings SET has_photos = made.has_photos, photo_sizes = made.photo_sizes, shown = made.shown,
    date_updated = iif(public_listings.shown <> made.shown, made.date_updated, public_listings.date_updated)
  FROM (SELECT date_updated, has_photos AS has_photos,
    photo_sizes AS photo_sizes,
    (select json_patch(json_remove(shown, '$.tour_token', '$.translations'), json_object(
    'photos', json(photos), 'panoramas', (select json_group_array(json_object('image', image, 'thumb', thumb))
    from (select * from listing_panoramas where listing_id = listings.id and true order by ordernum)), 'tour_token', (case when exists (select 1 from listing_panoramas where listing_id = listings.id) then tour_token end),
    'translations', json(shown -> '$.translations'))) from public_listings where id = listings.id) AS shown
    FROM listings, (select json_group_array((case when kind = 'photo' and captions = '[]' then coalesce(watermark_image, original_image)
      else json_object('image', coalesce(watermark_image, original_image), 'kind', kind, 'captions', json(captions)) end)) as photos, json_group_array((case when width > 0 then json_array(width, height) end)) as photo_sizes,
    count(*) > 0 as has_photos
  from (select * from listing_photos where listing_id = new.id and coalesce(watermark_image, original_image) is not null order by ordernum)) WHERE id = new.id) made
  WHERE public_listings.id = new.id AND (public_listings.has_photos <> made.has_photos OR public_listings.photo_sizes <> made.photo_sizes OR public_listings.shown <> made.shown);
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_photos_insert AFTER INSERT ON listing_photos
BEGIN
  UPDATE public_listings SET pictures_deferred = 0 WHERE id = new.listing_id AND pictures_deferred = 0;
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_photos_update AFTER UPDATE ON listing_photos
BEGIN
  UPDATE public_listings SET pictures_deferred = 0 WHERE id = new.listing_id AND pictures_deferred = 0;
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_photos_delete AFTER DELETE ON listing_photos
BEGIN
  UPDATE public_listings SET pictures_deferred = 0 WHERE id = old.listing_id AND pictures_deferred = 0;
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_panoramas_insert AFTER INSERT ON listing_panoramas
BEGIN
  UPDATE public_listings SET pictures_deferred = 0 WHERE id = new.listing_id AND pictures_deferred = 0;
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_panoramas_update AFTER UPDATE ON listing_panoramas
BEGIN
  UPDATE public_listings SET pictures_deferred = 0 WHERE id = new.listing_id AND pictures_deferred = 0;
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_panoramas_delete AFTER DELETE ON listing_panoramas
BEGIN
  UPDATE public_listings SET pictures_deferred = 0 WHERE id = old.listing_id AND pictures_deferred = 0;
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_translations_insert AFTER INSERT ON listing_translations WHEN new.title IS NOT NULL OR new.description IS NOT NULL
BEGIN
  UPDATE public_listings SET shown = made.shown,
    date_updated = iif(public_listings.shown <> made.shown, made.date_updated, public_listings.date_updated)
  FROM (SELECT date_updated, (select json_patch(shown, json_object('translations', (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description))
    from (select * from listing_translations where listing_id = listings.id
      and (title is not null or description is not null) order by language_id)))) from public_listings where id = listings.id) AS shown
    FROM listings WHERE id = new.listing_id) made
  WHERE public_listings.id = new.listing_id AND (public_listings.shown <> made.shown);
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_translations_update AFTER UPDATE ON listing_translations
BEGIN
  UPDATE public_listings SET shown = made.shown,
    date_updated = iif(public_listings.shown <> made.shown, made.date_updated, public_listings.date_updated)
  FROM (SELECT date_updated, (select json_patch(shown, json_object('translations', (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description))
    from (select * from listing_translations where listing_id = listings.id
      and (title is not null or description is not null) order by language_id)))) from public_listings where id = listings.id) AS shown
    FROM listings WHERE id = new.listing_id) made
  WHERE public_listings.id = new.listing_id AND (public_listings.shown <> made.shown);
END;
--> statement-breakpoint
CREATE TRIGGER public_listing_translations_delete AFTER DELETE ON listing_translations WHEN old.title IS NOT NULL OR old.description IS NOT NULL
BEGIN
  UPDATE public_listings SET shown = made.shown,
    date_updated = iif(public_listings.shown <> made.shown, made.date_updated, public_listings.date_updated)
  FROM (SELECT date_updated, (select json_patch(shown, json_object('translations', (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description))
    from (select * from listing_translations where listing_id = listings.id
      and (title is not null or description is not null) order by language_id)))) from public_listings where id = listings.id) AS shown
    FROM listings WHERE id = old.listing_id) made
  WHERE public_listings.id = old.listing_id AND (public_listings.shown <> made.shown);
END;
--> statement-breakpoint
CREATE TRIGGER feed_changes_public_listings_update AFTER UPDATE OF shown, photo_sizes, date_updated ON public_listings WHEN old.shown IS NOT new.shown OR old.photo_sizes IS NOT new.photo_sizes OR old.date_updated IS NOT new.date_updated
BEGIN
  UPDATE feed_changes SET version = version + 1, date = max(date, datetime('now')) WHERE name = 'shown';
END;
--> statement-breakpoint
CREATE TRIGGER match_count_insert AFTER INSERT ON request_matches
BEGIN
  UPDATE requests SET match_count = match_count + 1 WHERE id = new.request_id AND match_count IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER match_count_delete AFTER DELETE ON request_matches
BEGIN
  UPDATE requests SET match_count = match_count - 1 WHERE id = old.request_id AND match_count IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER trail_maximum AFTER INSERT ON trail
WHEN new.others IS NOT NULL AND ifnull(new.version, 1000 + 1) > 1000
BEGIN
  DELETE FROM trail WHERE id IN (
    SELECT id FROM trail WHERE resource = new.resource AND record_id = new.record_id AND others IS NOT NULL
    ORDER BY id DESC LIMIT 10 OFFSET 1000);
END;
--> statement-breakpoint
CREATE TRIGGER index_portions_delete AFTER DELETE ON index_portions
BEGIN
  DELETE FROM index_portion_data WHERE portion_id = old.id;
END;
--> statement-breakpoint
-- Cron fills what visitors see anew.
DELETE FROM derivations WHERE name = 'public_listings';
