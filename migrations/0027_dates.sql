-- Whoever lives in a zone of their own is found by it when their date comes, and so are the zones that there are.
create index subscribers_zoned on subscribers (customer_id, time_zone, id) where time_zone is not null;
