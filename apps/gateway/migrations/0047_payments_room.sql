-- A payment changes its status soon after it was made. Where its page has room, the new version of the row needs no entries in the
-- indexes, and later changes take the room of the old one. At full load all payments of a page change at the same moment: with 70,
-- half of them find room, and a row weighs a third more; with 50 all of them would, and it would weigh twice as much.
alter table payments set (fillfactor = 70);
