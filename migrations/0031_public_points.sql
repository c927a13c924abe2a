ALTER TABLE `listings` ADD `checked_latitude` real;--> statement-breakpoint
ALTER TABLE `listings` ADD `checked_longitude` real;--> statement-breakpoint
CREATE INDEX `listings_with_unchecked_point` ON `listings` (`id`) WHERE (fake_latitude, fake_longitude) is not (checked_latitude, checked_longitude);
--> statement-breakpoint
UPDATE `listings` SET former_points = '[]' WHERE former_points <> '[]';
--> statement-breakpoint
DROP TRIGGER public_listings_insert;
--> statement-breakpoint
DROP TRIGGER public_listings_update;
--> statement-breakpoint
CREATE TRIGGER public_listings_insert AFTER INSERT ON listings WHEN new.status = 'active'
BEGIN
  INSERT INTO public_listings (id, store_id, code, category, availability, subcategory, subtype, area_level1, area_level2, area_level3, size, floor, rooms, bathrooms, year_built, property_condition, features, positioning, view, flooring, price, price_per_sqm, land_size, energy_class, is_negotiable, has_photos, has_tour, has_video, latitude, longitude, date_listed, area, cell, date_updated, shown, photo_sizes)
  SELECT id,
    store_id,
    code,
    category,
    availability,
    subcategory,
    subtype,
    area_level1,
    area_level2,
    area_level3,
    size,
    floor,
    rooms,
    bathrooms,
    year_built,
    property_condition,
    features,
    positioning,
    view,
    flooring,
    case when not coalesce(extra ->> '$.has_hidden_price', 0) then price end,
    case when not coalesce(extra ->> '$.has_hidden_price', 0) then price_per_sqm end,
    details ->> '$.land_size',
    extra ->> '$.energy_class',
    coalesce(extra ->> '$.is_negotiable', 0),
    exists (select 1 from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null),
    exists (select 1 from listing_panoramas where listing_id = listings.id and true) or trim(coalesce(extra ->> '$.virtual_tour_url', '')) <> '',
    trim(coalesce(extra ->> '$.video_url', '')) <> '',
    case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then latitude when 'circle' then fake_latitude end,
    case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then longitude when 'circle' then fake_longitude end,
    status_date,
    coalesce(area_level3, area_level2, area_level1),
    cast((case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then latitude when 'circle' then fake_latitude end + 90) * 100 as integer) * 36001 + cast((case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then longitude when 'circle' then fake_longitude end + 180) * 100 as integer),
    date_updated,
    json_array(
  json_patch('{}', json_object(
    'store_id', store_id,
    'code', code,
    'category', category,
    'availability', availability,
    'date_listed', status_date,
    'subcategory', subcategory,
    'subtype', subtype,
    'price', case when not coalesce(extra ->> '$.has_hidden_price', 0) then price end,
    'size', case when size is not null then json(format('%!.17g', size)) end,
    'price_per_sqm', case when not coalesce(extra ->> '$.has_hidden_price', 0) then case when price_per_sqm is not null then json(format('%!.17g', price_per_sqm)) end end,
    'floor', case when floor is not null then json(format('%!.17g', floor)) end,
    'levels', levels,
    'rooms', rooms,
    'bathrooms', bathrooms,
    'year_built', year_built,
    'property_condition', property_condition)),
  json_patch('{}', json_object(
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
    'construction_type', json(details -> '$.construction_type'))),
  json_patch('{}', json_object(
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
    'distance_market', json(extra -> '$.distance_market'))),
  json_patch('{}', json_object(
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
    'land_slope', json(extra -> '$.land_slope'))),
  json_patch('{}', json_object(
    'access_type', json(extra -> '$.access_type'),
    'shortterm_unit', json(extra -> '$.shortterm_unit'),
    'planning_status', json(extra -> '$.planning_status'),
    'area_level1', area_level1,
    'area_level2', area_level2,
    'area_level3', area_level3,
    'postal_code', case display_address when 'real' then postal_code end,
    'address', case display_address when 'real' then address_el when 'fake' then fake_address_el end,
    'address_en', case display_address when 'real' then address_en end,
    'latitude', case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then case when latitude is not null then json(format('%!.17g', latitude)) end when 'circle' then case when fake_latitude is not null then json(format('%!.17g', fake_latitude)) end end,
    'longitude', case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then case when longitude is not null then json(format('%!.17g', longitude)) end when 'circle' then case when fake_longitude is not null then json(format('%!.17g', fake_longitude)) end end,
    'precision', case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end,
    'features', json(features),
    'positioning', json(positioning),
    'view', json(view),
    'flooring', json(flooring))),
  json_patch('{}', json_object(
    'photos', (select json_group_array(case when kind = 'photo' and captions = '[]' then coalesce(watermark_image, original_image)
      else json_object('image', coalesce(watermark_image, original_image), 'kind', kind, 'captions', json(captions)) end)
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by abs(ordernum))),
    'panoramas', (select json_group_array(json_object('image', image, 'thumb', thumb))
    from (select * from listing_panoramas where listing_id = listings.id and true order by abs(ordernum))),
    'tour_token', case when exists (select 1 from listing_panoramas where listing_id = listings.id) then tour_token end,
    'translations', (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description))
    from (select * from listing_translations where listing_id = listings.id
      and (title is not null or description is not null) order by language_id))))),
    (select json_group_array(case when width > 0 then json_array(width, height) end)
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by abs(ordernum)))
  FROM listings WHERE id = new.id AND listings.status = 'active'
  ON CONFLICT (id) DO UPDATE SET id = excluded.id, store_id = excluded.store_id, code = excluded.code, category = excluded.category, availability = excluded.availability, subcategory = excluded.subcategory, subtype = excluded.subtype, area_level1 = excluded.area_level1, area_level2 = excluded.area_level2, area_level3 = excluded.area_level3, size = excluded.size, floor = excluded.floor, rooms = excluded.rooms, bathrooms = excluded.bathrooms, year_built = excluded.year_built, property_condition = excluded.property_condition, features = excluded.features, positioning = excluded.positioning, view = excluded.view, flooring = excluded.flooring, price = excluded.price, price_per_sqm = excluded.price_per_sqm, land_size = excluded.land_size, energy_class = excluded.energy_class, is_negotiable = excluded.is_negotiable, has_photos = excluded.has_photos, has_tour = excluded.has_tour, has_video = excluded.has_video, latitude = excluded.latitude, longitude = excluded.longitude, date_listed = excluded.date_listed, area = excluded.area, cell = excluded.cell, date_updated = iif(public_listings.shown <> excluded.shown, excluded.date_updated, public_listings.date_updated), shown = excluded.shown, photo_sizes = excluded.photo_sizes
  WHERE public_listings.shown <> excluded.shown OR public_listings.photo_sizes <> excluded.photo_sizes;
END;
--> statement-breakpoint
CREATE TRIGGER public_listings_update AFTER UPDATE OF version, tour_token ON listings WHEN new.status = 'active'
BEGIN
  INSERT INTO public_listings (id, store_id, code, category, availability, subcategory, subtype, area_level1, area_level2, area_level3, size, floor, rooms, bathrooms, year_built, property_condition, features, positioning, view, flooring, price, price_per_sqm, land_size, energy_class, is_negotiable, has_photos, has_tour, has_video, latitude, longitude, date_listed, area, cell, date_updated, shown, photo_sizes)
  SELECT id,
    store_id,
    code,
    category,
    availability,
    subcategory,
    subtype,
    area_level1,
    area_level2,
    area_level3,
    size,
    floor,
    rooms,
    bathrooms,
    year_built,
    property_condition,
    features,
    positioning,
    view,
    flooring,
    case when not coalesce(extra ->> '$.has_hidden_price', 0) then price end,
    case when not coalesce(extra ->> '$.has_hidden_price', 0) then price_per_sqm end,
    details ->> '$.land_size',
    extra ->> '$.energy_class',
    coalesce(extra ->> '$.is_negotiable', 0),
    exists (select 1 from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null),
    exists (select 1 from listing_panoramas where listing_id = listings.id and true) or trim(coalesce(extra ->> '$.virtual_tour_url', '')) <> '',
    trim(coalesce(extra ->> '$.video_url', '')) <> '',
    case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then latitude when 'circle' then fake_latitude end,
    case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then longitude when 'circle' then fake_longitude end,
    status_date,
    coalesce(area_level3, area_level2, area_level1),
    cast((case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then latitude when 'circle' then fake_latitude end + 90) * 100 as integer) * 36001 + cast((case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then longitude when 'circle' then fake_longitude end + 180) * 100 as integer),
    date_updated,
    json_array(
  json_patch('{}', json_object(
    'store_id', store_id,
    'code', code,
    'category', category,
    'availability', availability,
    'date_listed', status_date,
    'subcategory', subcategory,
    'subtype', subtype,
    'price', case when not coalesce(extra ->> '$.has_hidden_price', 0) then price end,
    'size', case when size is not null then json(format('%!.17g', size)) end,
    'price_per_sqm', case when not coalesce(extra ->> '$.has_hidden_price', 0) then case when price_per_sqm is not null then json(format('%!.17g', price_per_sqm)) end end,
    'floor', case when floor is not null then json(format('%!.17g', floor)) end,
    'levels', levels,
    'rooms', rooms,
    'bathrooms', bathrooms,
    'year_built', year_built,
    'property_condition', property_condition)),
  json_patch('{}', json_object(
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
    'construction_type', json(details -> '$.construction_type'))),
  json_patch('{}', json_object(
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
    'distance_market', json(extra -> '$.distance_market'))),
  json_patch('{}', json_object(
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
    'land_slope', json(extra -> '$.land_slope'))),
  json_patch('{}', json_object(
    'access_type', json(extra -> '$.access_type'),
    'shortterm_unit', json(extra -> '$.shortterm_unit'),
    'planning_status', json(extra -> '$.planning_status'),
    'area_level1', area_level1,
    'area_level2', area_level2,
    'area_level3', area_level3,
    'postal_code', case display_address when 'real' then postal_code end,
    'address', case display_address when 'real' then address_el when 'fake' then fake_address_el end,
    'address_en', case display_address when 'real' then address_en end,
    'latitude', case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then case when latitude is not null then json(format('%!.17g', latitude)) end when 'circle' then case when fake_latitude is not null then json(format('%!.17g', fake_latitude)) end end,
    'longitude', case case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end when 'exact' then case when longitude is not null then json(format('%!.17g', longitude)) end when 'circle' then case when fake_longitude is not null then json(format('%!.17g', fake_longitude)) end end,
    'precision', case
    when display_address = 'real' and (latitude is not null and longitude is not null and not (latitude = 0 and longitude = 0)) then 'exact'
    when display_address = 'fake'
      and (fake_latitude, fake_longitude) = (checked_latitude, checked_longitude) then 'circle'
    else 'area' end,
    'features', json(features),
    'positioning', json(positioning),
    'view', json(view),
    'flooring', json(flooring))),
  json_patch('{}', json_object(
    'photos', (select json_group_array(case when kind = 'photo' and captions = '[]' then coalesce(watermark_image, original_image)
      else json_object('image', coalesce(watermark_image, original_image), 'kind', kind, 'captions', json(captions)) end)
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by abs(ordernum))),
    'panoramas', (select json_group_array(json_object('image', image, 'thumb', thumb))
    from (select * from listing_panoramas where listing_id = listings.id and true order by abs(ordernum))),
    'tour_token', case when exists (select 1 from listing_panoramas where listing_id = listings.id) then tour_token end,
    'translations', (select json_group_array(json_object('language_id', language_id, 'title', title, 'description', description))
    from (select * from listing_translations where listing_id = listings.id
      and (title is not null or description is not null) order by language_id))))),
    (select json_group_array(case when width > 0 then json_array(width, height) end)
    from (select * from listing_photos where listing_id = listings.id and coalesce(watermark_image, original_image) is not null order by abs(ordernum)))
  FROM listings WHERE id = new.id AND listings.status = 'active'
  ON CONFLICT (id) DO UPDATE SET id = excluded.id, store_id = excluded.store_id, code = excluded.code, category = excluded.category, availability = excluded.availability, subcategory = excluded.subcategory, subtype = excluded.subtype, area_level1 = excluded.area_level1, area_level2 = excluded.area_level2, area_level3 = excluded.area_level3, size = excluded.size, floor = excluded.floor, rooms = excluded.rooms, bathrooms = excluded.bathrooms, year_built = excluded.year_built, property_condition = excluded.property_condition, features = excluded.features, positioning = excluded.positioning, view = excluded.view, flooring = excluded.flooring, price = excluded.price, price_per_sqm = excluded.price_per_sqm, land_size = excluded.land_size, energy_class = excluded.energy_class, is_negotiable = excluded.is_negotiable, has_photos = excluded.has_photos, has_tour = excluded.has_tour, has_video = excluded.has_video, latitude = excluded.latitude, longitude = excluded.longitude, date_listed = excluded.date_listed, area = excluded.area, cell = excluded.cell, date_updated = iif(public_listings.shown <> excluded.shown, excluded.date_updated, public_listings.date_updated), shown = excluded.shown, photo_sizes = excluded.photo_sizes
  WHERE public_listings.shown <> excluded.shown OR public_listings.photo_sizes <> excluded.photo_sizes;
END;
