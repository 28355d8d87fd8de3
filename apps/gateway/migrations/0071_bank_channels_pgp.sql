-- Where at the bank a file lay: the settings say by directory how its CSV is read. Unknown of files that were fetched before.
alter table bank_channel_files add column directory text;

-- How long a file was as it was sent, which is more than it holds where it was encrypted: a file at the bank is ours if it is as long.
alter table payout_file_puts add column sent_byte_count integer check (sent_byte_count >= 0);
