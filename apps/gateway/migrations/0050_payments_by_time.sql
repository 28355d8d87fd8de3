-- Payments of a span of time, the newest first: what operators list and export. Rows come in this order, so that an entry goes to
-- the end of the index.
create index payments_by_time on payments (created_at);
