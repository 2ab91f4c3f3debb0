-- What each program may do, run by `db:migrate` (db/logins.ts) as the owner of the tables, in one transaction. Everything is taken and
-- given anew, so a table that is not named here can only be read, and a test holds every column against one list.
DO $$
DECLARE
  login text;
  one record;
BEGIN
  FOREACH login IN ARRAY ARRAY['blockdraw_api', 'blockdraw_worker', 'blockdraw_backup'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = login) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', login);
    END IF;
  END LOOP;
  -- A backup is proven in a database of its own.
  IF (SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    ALTER ROLE blockdraw_backup CREATEDB;
  END IF;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC, blockdraw_api, blockdraw_worker, blockdraw_backup', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO blockdraw_api, blockdraw_worker, blockdraw_backup', current_database());
  -- Else whoever may make temporary tables could put one of his own in the place of ours.
  FOR one IN SELECT oid::regprocedure AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proconfig IS NULL
    AND proowner = current_user::regrole LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = public, pg_temp', one.name);
  END LOOP;
  -- The queue's own, where Postgres holds the queue.
  IF to_regnamespace('bullmq') IS NOT NULL THEN
    REVOKE ALL ON SCHEMA bullmq FROM PUBLIC;
    GRANT USAGE ON SCHEMA bullmq TO blockdraw_api, blockdraw_worker, blockdraw_backup;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bullmq TO blockdraw_api, blockdraw_worker;
    REVOKE INSERT, UPDATE, DELETE ON bullmq.migration FROM blockdraw_api, blockdraw_worker;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA bullmq TO blockdraw_api, blockdraw_worker;
    GRANT SELECT ON ALL TABLES IN SCHEMA bullmq TO blockdraw_backup;
    GRANT SELECT ON ALL SEQUENCES IN SCHEMA bullmq TO blockdraw_backup;
  END IF;
END $$;
REVOKE ALL ON SCHEMA public, drizzle FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA public, drizzle FROM PUBLIC, blockdraw_api, blockdraw_worker, blockdraw_backup;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public, drizzle FROM PUBLIC, blockdraw_api, blockdraw_worker, blockdraw_backup;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC, blockdraw_api, blockdraw_worker, blockdraw_backup;
GRANT USAGE ON SCHEMA public, drizzle TO blockdraw_api, blockdraw_worker, blockdraw_backup;
GRANT EXECUTE ON FUNCTION iso_moment, newest_moment, next_moment, terms_line, tickets_of, stop_sale, prizes_text TO blockdraw_api, blockdraw_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO blockdraw_api, blockdraw_worker;

-- The API, and `admin` beside it: what administrators and visitors do. It reads all; no fact of the chain is its to write.
GRANT SELECT ON ALL TABLES IN SCHEMA public, drizzle TO blockdraw_api;
GRANT EXECUTE ON FUNCTION claim_payment TO blockdraw_api;
GRANT INSERT (actor, client_address, action, outcome, before, after, request_id) ON audit TO blockdraw_api;
GRANT INSERT, UPDATE ON admins, uploads TO blockdraw_api;
GRANT INSERT, UPDATE, DELETE ON passkeys, sessions TO blockdraw_api;
GRANT INSERT, DELETE ON passkey_challenges TO blockdraw_api;
GRANT UPDATE ON settings TO blockdraw_api;
GRANT INSERT ON legal_texts, changes TO blockdraw_api;
-- Not what was sold, frozen or locked, nor price, chain and token: those are `migrate`'s.
GRANT INSERT, UPDATE (operator_wallet, min_tickets, sale_start, opened_at, draw_date, sale_end, auto_draw, entropy, winners, prizes,
  claim_days, content_sha256, content, google_form_url, refund_notice, halted_at, draw_wanted_at, winner_cleared_at, redrawn_at,
  wallet_proven_at, archived_at, revision) ON events TO blockdraw_api;
-- A stopped sale.
GRANT INSERT ON endings TO blockdraw_api;
GRANT UPDATE (stolen_from) ON operator_wallets TO blockdraw_api;
GRANT UPDATE (version) ON house TO blockdraw_api;
GRANT INSERT ON wallet_proofs, beacons, prize_acts, refund_decisions TO blockdraw_api;
GRANT INSERT, UPDATE (status, reason, attempts, created_at, next_attempt_at, client_address, manual_answered_at, accepted)
  ON claims TO blockdraw_api;
GRANT INSERT, DELETE ON transfer_marks TO blockdraw_api;
GRANT INSERT, UPDATE ON refund_reports, channels, deliveries TO blockdraw_api;
-- A test of a channel.
GRANT INSERT ON notifications TO blockdraw_api;

-- The worker parses the internet. Facts of the chain are its own; it sees nothing of passwords, sessions and settings.
GRANT SELECT ON ALL TABLES IN SCHEMA public, drizzle TO blockdraw_worker;
REVOKE SELECT ON admins, audit, legal_texts, passkey_challenges, passkeys, sessions, settings, uploads FROM blockdraw_worker;
GRANT EXECUTE ON FUNCTION lock_terms, rewind_outgoing TO blockdraw_worker;
-- Nothing of what an event promises but the wallet of its own anchor key, which is public.
GRANT UPDATE (anchor_wallet, opened_at, locked_at, tickets_sold, halted_at, frozen_at, ledger_sha256, ledger_lines, read_twice_to,
  read_twice_time, read_twice_failed_at, terms, draw_blocks, beacon_round, revision) ON events TO blockdraw_worker;
GRANT INSERT ON changes, endings, draws, beacons, anchor_sends TO blockdraw_worker;
GRANT UPDATE (books_read_at) ON operator_wallets TO blockdraw_worker;
GRANT UPDATE (version, shut_since) ON house TO blockdraw_worker;
GRANT DELETE, UPDATE (is_good, answered_at) ON wallet_proofs TO blockdraw_worker;
GRANT DELETE, UPDATE (status, reason, seen, attempts, next_attempt_at, client_address) ON claims TO blockdraw_worker;
-- A rewind takes them back; of none is anything changed but whether the chain has lost it.
GRANT INSERT, DELETE ON payments, anchors, outgoing_transfers TO blockdraw_worker;
GRANT UPDATE (lost_at, found_at) ON payments TO blockdraw_worker;
GRANT INSERT, UPDATE, DELETE ON cursors TO blockdraw_worker;
GRANT INSERT, UPDATE ON reports, payer_codes TO blockdraw_worker;
GRANT UPDATE (final_at) ON refund_reports TO blockdraw_worker;
GRANT UPDATE ON deliveries TO blockdraw_worker;

-- A backup reads everything, as pg_dump locks each table that it describes, and says of itself that it was made.
GRANT SELECT ON ALL TABLES IN SCHEMA public, drizzle TO blockdraw_backup;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA public, drizzle TO blockdraw_backup;
GRANT USAGE ON SEQUENCE notifications_id_seq TO blockdraw_backup;
GRANT INSERT ON notifications TO blockdraw_backup;
