-- What the tables keep by themselves. `db:migrate` runs this file after the generated migrations, so each statement may run again.
INSERT INTO "settings" ("id") VALUES (1) ON CONFLICT DO NOTHING;
INSERT INTO "house" ("id") VALUES (1) ON CONFLICT DO NOTHING;
INSERT INTO "reports" ("name", "state") VALUES ('nodes', 'answering') ON CONFLICT DO NOTHING;
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
DO $$
DECLARE kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['draws', 'beacons', 'changes', 'endings', 'anchor_sends', 'audit',
    'prize_acts', 'legal_texts', 'notifications', 'refund_decisions'] LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', kept || '_append_only', kept);
  END LOOP;
END $$;
CREATE OR REPLACE FUNCTION notify_public_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <= OLD.version THEN
    RAISE EXCEPTION 'the public version may not go back' USING ERRCODE = 'restrict_violation';
  END IF;
  PERFORM pg_notify('public_version', NEW.version::text);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER house_notify BEFORE UPDATE OF version ON "house" FOR EACH ROW EXECUTE FUNCTION notify_public_version();
CREATE OR REPLACE TRIGGER house_kept BEFORE DELETE OR TRUNCATE ON "house" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER house_book BEFORE UPDATE OF book ON "house" FOR EACH ROW WHEN (OLD.book IS NOT NULL) EXECUTE FUNCTION refuse_change();
-- What a worker reads on chain comes after an event is opened: whoever opens it brings none of it.
CREATE OR REPLACE TRIGGER events_opened_bare BEFORE INSERT ON "events" FOR EACH ROW WHEN (num_nonnulls(NEW.draw_blocks, NEW.beacon_round, NEW.draw_wanted_at, NEW.read_twice_to, NEW.read_twice_time) > 0) EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER events_draw_blocks BEFORE UPDATE OF draw_blocks ON "events" FOR EACH ROW WHEN (OLD.draw_blocks IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER events_beacon_round BEFORE UPDATE OF beacon_round ON "events" FOR EACH ROW WHEN (OLD.beacon_round IS NOT NULL) EXECUTE FUNCTION refuse_change();
-- A wallet is not made another one, and stays stolen.
CREATE OR REPLACE TRIGGER operator_wallets_keep BEFORE UPDATE ON "operator_wallets" FOR EACH ROW
  WHEN (NEW.address <> OLD.address OR NEW.since > OLD.since OR (OLD.stolen_from IS NOT NULL AND coalesce(NEW.stolen_from > OLD.stolen_from, true)))
  EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE FUNCTION iso_moment(moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
-- The later of the database's clock and the newest block seen: no change may affect earlier blocks.
CREATE OR REPLACE FUNCTION newest_moment() RETURNS timestamptz LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT greatest(clock_timestamp(), (SELECT greatest(block_time, newest_block_time) FROM cursors WHERE name = 'payments'))
$$;
-- After it, in whole seconds: a change from then on concerns no block that is known.
CREATE OR REPLACE FUNCTION next_moment() RETURNS timestamptz LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT date_trunc('second', newest_moment()) + interval '1 second'
$$;
-- Whatever program writes the terms: from the first ticket, or the anchor of the terms, on they stay. A draw date that was never set is
-- set once. A sale is stopped while it is open, for good: that brings its end forward to now, and moves no draw date.
CREATE OR REPLACE FUNCTION guard_terms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_other boolean := (NEW.ticket_price, NEW.operator_wallet, NEW.anchor_wallet, NEW.chain_id, NEW.token, NEW.sale_start, NEW.sale_lead_seconds, NEW.min_tickets, NEW.auto_draw, NEW.entropy, NEW.winners, NEW.prizes, NEW.claim_days, NEW.content - 'links', NEW.content_sha256)
    IS DISTINCT FROM (OLD.ticket_price, OLD.operator_wallet, OLD.anchor_wallet, OLD.chain_id, OLD.token, OLD.sale_start, OLD.sale_lead_seconds, OLD.min_tickets, OLD.auto_draw, OLD.entropy, OLD.winners, OLD.prizes, OLD.claim_days, OLD.content - 'links', OLD.content_sha256);
  is_moved boolean := (NEW.draw_date, NEW.sale_end) IS DISTINCT FROM (OLD.draw_date, OLD.sale_end);
  is_stop boolean := NEW.stopped_at IS DISTINCT FROM OLD.stopped_at;
  may_stop boolean := OLD.stopped_at IS NULL AND OLD.frozen_at IS NULL AND coalesce(OLD.sale_end > clock_timestamp(), true)
    AND coalesce(NEW.sale_end BETWEEN now() AND least(OLD.sale_end, next_moment()), false)
    AND (NEW.draw_date IS NULL OR NEW.draw_date IS NOT DISTINCT FROM OLD.draw_date);
  is_allowed boolean := OLD.frozen_at IS NULL AND (is_stop
    OR (OLD.stopped_at IS NULL AND OLD.draw_date IS NULL AND NEW.draw_date IS NOT NULL));
BEGIN
  IF is_stop AND NOT may_stop THEN
    RAISE EXCEPTION 'the sale of event % is stopped now or not at all', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  IF (OLD.locked_at IS NOT NULL AND NEW.locked_at IS DISTINCT FROM OLD.locked_at)
    OR ((OLD.locked_at IS NOT NULL OR OLD.frozen_at IS NOT NULL) AND (is_other OR (is_moved AND NOT is_allowed)))
    OR (OLD.archived_at IS NOT NULL AND NEW.content IS DISTINCT FROM OLD.content)
    OR (OLD.terms IS NOT NULL AND NEW.frozen_at IS NOT NULL AND NEW.terms IS DISTINCT FROM OLD.terms) THEN
    RAISE EXCEPTION 'the terms of event % are locked', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER events_guard_terms BEFORE UPDATE OF ticket_price, sale_lead_seconds, operator_wallet, anchor_wallet, chain_id, token, sale_start, sale_end, draw_date, min_tickets, auto_draw, entropy, winners, prizes, claim_days, content, content_sha256, terms, locked_at, stopped_at ON "events" FOR EACH ROW EXECUTE FUNCTION guard_terms();
-- The line that core/event/terms.ts describes; both are compared by a test.
CREATE OR REPLACE FUNCTION terms_line(e events) RETURNS text LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT concat_ws(',', 'blockdraw-terms-2', coalesce((SELECT book FROM house), 'none'), e.number, e.chain_id, e.token,
    coalesce(e.operator_wallet, 'none'), coalesce(e.anchor_wallet, 'none'), e.ticket_price,
    floor(extract(epoch FROM e.sale_start)), coalesce(floor(extract(epoch FROM e.sale_end))::text, 'none'),
    coalesce(floor(extract(epoch FROM e.draw_date))::text, 'none'), e.min_tickets, e.auto_draw::text, e.entropy, e.winners, e.claim_days,
    coalesce((SELECT '0x' || encode(sha256(convert_to(string_agg(wallet || E'\n', '' ORDER BY wallet COLLATE "C"), 'UTF8')), 'hex')
      FROM (SELECT DISTINCT operator_wallet AS wallet FROM events WHERE number < e.number AND operator_wallet IS NOT NULL) former), 'none'),
    coalesce(e.content_sha256, 'none')) || E'\n'
$$;
CREATE OR REPLACE FUNCTION write_terms_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  since timestamptz := NEW.sale_start;
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.sale_start IS NOT DISTINCT FROM OLD.sale_start THEN
    since := greatest(next_moment(), NEW.sale_start);
  END IF;
  -- What was set in the same second was never in force.
  INSERT INTO terms_versions VALUES (NEW.number, since, terms_line(NEW), to_jsonb(NEW))
    ON CONFLICT ON CONSTRAINT terms_versions_event_number_since_pk DO UPDATE SET line = excluded.line, row = excluded.row;
  RETURN NULL;
END $$;
-- Its name comes behind events_open_book: the line names the book.
CREATE OR REPLACE TRIGGER events_terms_added AFTER INSERT ON "events" FOR EACH ROW EXECUTE FUNCTION write_terms_version();
CREATE OR REPLACE TRIGGER events_terms_changed AFTER UPDATE OF ticket_price, sale_lead_seconds, operator_wallet, anchor_wallet, chain_id, token, sale_start, sale_end, draw_date, min_tickets, auto_draw, entropy, winners, prizes, claim_days, content, content_sha256 ON "events" FOR EACH ROW
  WHEN ((NEW.ticket_price, NEW.sale_lead_seconds, NEW.operator_wallet, NEW.anchor_wallet, NEW.chain_id, NEW.token, NEW.sale_start, NEW.sale_end, NEW.draw_date, NEW.min_tickets, NEW.auto_draw, NEW.entropy, NEW.winners, NEW.prizes, NEW.claim_days, NEW.content - 'links', NEW.content_sha256)
    IS DISTINCT FROM (OLD.ticket_price, OLD.sale_lead_seconds, OLD.operator_wallet, OLD.anchor_wallet, OLD.chain_id, OLD.token, OLD.sale_start, OLD.sale_end, OLD.draw_date, OLD.min_tickets, OLD.auto_draw, OLD.entropy, OLD.winners, OLD.prizes, OLD.claim_days, OLD.content - 'links', OLD.content_sha256))
  EXECUTE FUNCTION write_terms_version();
CREATE OR REPLACE TRIGGER terms_versions_kept BEFORE DELETE OR TRUNCATE ON "terms_versions" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- Locks the version in force at `moment`, and takes back what was set since but a first draw date and a stop. Not of a frozen event.
CREATE OR REPLACE FUNCTION lock_terms(event integer, moment timestamptz) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  kept jsonb := (SELECT v.row FROM terms_versions v WHERE v.event_number = event AND v.since <= moment ORDER BY v.since DESC LIMIT 1);
  is_last boolean := NOT EXISTS (SELECT FROM terms_versions v WHERE v.event_number = event AND v.since > moment);
  was events;
BEGIN
  IF kept IS NULL OR is_last THEN
    UPDATE events SET locked_at = moment WHERE number = event AND locked_at IS NULL AND frozen_at IS NULL;
    RETURN FOUND;
  END IF;
  was := jsonb_populate_record(NULL::events, kept);
  UPDATE events e SET locked_at = moment, ticket_price = was.ticket_price, sale_lead_seconds = was.sale_lead_seconds,
    operator_wallet = was.operator_wallet, anchor_wallet = was.anchor_wallet, chain_id = was.chain_id, token = was.token,
    sale_start = was.sale_start, min_tickets = was.min_tickets, auto_draw = was.auto_draw, entropy = was.entropy, winners = was.winners,
    prizes = was.prizes, claim_days = was.claim_days, content_sha256 = was.content_sha256,
    content = CASE WHEN e.content_sha256 IS DISTINCT FROM was.content_sha256 THEN was.content ELSE e.content END,
    draw_date = CASE WHEN e.stopped_at IS NULL THEN coalesce(was.draw_date, e.draw_date) END,
    sale_end = CASE WHEN e.stopped_at IS NULL THEN coalesce(was.sale_end, e.sale_end) ELSE e.sale_end END
  WHERE number = event AND locked_at IS NULL AND frozen_at IS NULL;
  RETURN FOUND;
END $$;
-- A program may end the sale, and chooses no date by it.
CREATE OR REPLACE FUNCTION stop_sale(event integer) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE events SET stopped_at = now(), sale_end = next_moment(), draw_date = NULL, revision = revision + 1
  WHERE number = event AND stopped_at IS NULL AND archived_at IS NULL
$$;
-- The last ticket of an event by its list; `events.tickets_sold` is for show.
CREATE OR REPLACE FUNCTION tickets_of(event integer) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT p.ticket_number + p.ticket_count - 1 FROM payments p
    WHERE p.event_number = event AND p.ticket_number > 0 ORDER BY p.ticket_number DESC LIMIT 1), 0)
$$;
-- An event ends as the facts have it, whatever program says so; after a restore the owner of the tables takes the operator's word.
CREATE OR REPLACE FUNCTION guard_ending() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  e events;
  moment timestamptz := next_moment();
  has_cause boolean;
BEGIN
  SELECT * INTO STRICT e FROM events WHERE number = NEW.event_number;
  has_cause := CASE coalesce(NEW.reason, NEW.kind)
    WHEN 'drawn' THEN EXISTS (SELECT FROM draws WHERE event_number = e.number)
    WHEN 'stopped' THEN e.stopped_at IS NOT NULL
    WHEN 'minimum' THEN e.frozen_at IS NOT NULL AND tickets_of(e.number) < e.min_tickets
    WHEN 'overdue' THEN e.draw_date IS NULL AND EXISTS (SELECT FROM payments p
      WHERE p.event_number = e.number AND p.ticket_number = 1 AND p.block_time + interval '180 days' <= moment)
    WHEN 'beacon_lost' THEN e.entropy = 'blocks+drand' AND e.draw_date + interval '7 days' <= moment
    WHEN 'ledger' THEN EXISTS (SELECT FROM payments p WHERE p.event_number = e.number AND p.lost_at < e.draw_date)
  END;
  IF NOT coalesce(has_cause, false) AND NOT pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER') THEN
    RAISE EXCEPTION 'event % has no cause to end as %', e.number, coalesce(NEW.reason, NEW.kind) USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER endings_guard BEFORE INSERT ON "endings" FOR EACH ROW EXECUTE FUNCTION guard_ending();
CREATE OR REPLACE FUNCTION guard_archive() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM endings WHERE event_number = NEW.number) OR (NEW.frozen_at IS NOT NULL AND tickets_of(NEW.number) = 0) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'event % is not over', NEW.number USING ERRCODE = 'restrict_violation';
END $$;
CREATE OR REPLACE TRIGGER events_guard_archive BEFORE UPDATE OF archived_at ON "events" FOR EACH ROW WHEN (NEW.archived_at IS NOT NULL) EXECUTE FUNCTION guard_archive();
-- Whatever program gives the first ticket.
CREATE OR REPLACE FUNCTION lock_sold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE events e SET locked_at = sold.first
  FROM (SELECT event_number, min(block_time) AS first FROM added WHERE ticket_number IS NOT NULL GROUP BY event_number) sold
  WHERE e.number = sold.event_number AND e.locked_at IS NULL;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER payments_lock_terms AFTER INSERT ON "payments" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION lock_sold();
-- As people read it: the places whose prize is money, `goods` where there is none.
CREATE OR REPLACE FUNCTION prizes_text(prizes jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(string_agg(place || ': ' || trim_scale((prize ->> 'units')::numeric * 0.000000000000000001) || ' USDT', ', ' ORDER BY place), 'goods')
  FROM jsonb_array_elements(prizes) WITH ORDINALITY AS chosen (prize, place) WHERE prize ->> 'kind' = 'token'
$$;
CREATE OR REPLACE FUNCTION list_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (event_number, field, "from", "to")
  SELECT NEW.number, term.field, term.before, term.after
  FROM (VALUES
    (0, 'prizes', prizes_text(OLD.prizes), prizes_text(NEW.prizes)),
    (1, 'saleStart', iso_moment(OLD.sale_start), iso_moment(NEW.sale_start)),
    (2, 'drawDate', iso_moment(OLD.draw_date), iso_moment(NEW.draw_date)),
    (3, 'saleEndDate', iso_moment(OLD.sale_end), iso_moment(NEW.sale_end)),
    (4, 'minTicketsForDraw', OLD.min_tickets::text, NEW.min_tickets::text),
    (5, 'operatorWallet', OLD.operator_wallet, NEW.operator_wallet),
    (6, 'anchorWallet', OLD.anchor_wallet, NEW.anchor_wallet),
    (7, 'ticketPrice', trim_scale(OLD.ticket_price * 0.000000000000000001)::text, trim_scale(NEW.ticket_price * 0.000000000000000001)::text),
    (8, 'saleLeadSeconds', OLD.sale_lead_seconds::text, NEW.sale_lead_seconds::text),
    (9, 'chainId', OLD.chain_id::text, NEW.chain_id::text),
    (10, 'token', OLD.token, NEW.token),
    (11, 'autoDraw', CASE WHEN OLD.auto_draw THEN 'on' ELSE 'off' END, CASE WHEN NEW.auto_draw THEN 'on' ELSE 'off' END),
    (12, 'entropy', OLD.entropy, NEW.entropy),
    (13, 'winners', OLD.winners::text, NEW.winners::text),
    (14, 'claimDays', OLD.claim_days::text, NEW.claim_days::text),
    (15, 'content', OLD.content_sha256, NEW.content_sha256)
  ) AS term(place, field, before, after)
  WHERE term.before IS DISTINCT FROM term.after
  ORDER BY term.place;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER events_list_terms AFTER UPDATE OF ticket_price, sale_lead_seconds, operator_wallet, chain_id, token, sale_start, sale_end, draw_date, min_tickets, auto_draw, entropy, winners, prizes, claim_days, anchor_wallet, content_sha256 ON "events" FOR EACH ROW EXECUTE FUNCTION list_terms();
CREATE OR REPLACE TRIGGER anchors_keep BEFORE UPDATE OR TRUNCATE ON "anchors" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- The server's log keeps a second copy, one line of JSON a row, out of reach of every login of a program.
CREATE OR REPLACE FUNCTION log_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE LOG 'audit %', to_jsonb(NEW);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER audit_logged AFTER INSERT ON "audit" FOR EACH ROW EXECUTE FUNCTION log_audit();
-- A channel that this transaction removes is still told of it. A test is for one channel, whose delivery the API adds itself.
CREATE OR REPLACE FUNCTION fan_out() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.deliveries (notification_id, channel_id)
    SELECT NEW.id, c.id FROM public.channels c WHERE c.removed_at IS NULL OR c.removed_at = now() ORDER BY c.id;
  RETURN NULL;
END $$;
-- What is told once is told by whoever says it first: the login of the backups says nothing in the name of others.
CREATE OR REPLACE TRIGGER notifications_backup BEFORE INSERT ON "notifications" FOR EACH ROW
  WHEN (current_user = 'blockdraw_backup' AND NEW.kind NOT IN ('backup_made', 'backup_failed')) EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER notifications_fan_out AFTER INSERT ON "notifications" FOR EACH ROW WHEN (NEW.kind NOT IN ('test', 'backup_made')) EXECUTE FUNCTION fan_out();
-- What happens goes on where telling it fails: the log of the database says so then.
CREATE OR REPLACE FUNCTION tell(kind text, subject text, event_number integer, facts jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.notifications (kind, subject, event_number, facts) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'not told: % %: % (%)', $1, $2, SQLERRM, SQLSTATE;
END $$;
-- Tells of a row: kind, the columns that name this time, a fact that is always so, and others as name=column.
CREATE OR REPLACE FUNCTION tell_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  happened jsonb := to_jsonb(NEW) || coalesce(to_jsonb(NEW) -> 'facts', '{}');
BEGIN
  PERFORM public.tell(TG_ARGV[0],
    (SELECT string_agg(happened ->> c, ' ' ORDER BY n) FROM unnest(string_to_array(TG_ARGV[1], ' ')) WITH ORDINALITY AS named (c, n)),
    (happened ->> CASE TG_TABLE_NAME WHEN 'events' THEN 'number' ELSE 'event_number' END)::integer,
    TG_ARGV[2]::jsonb || coalesce((SELECT jsonb_object_agg(split_part(f, '=', 1), happened ->> split_part(f, '=', 2))
      FROM unnest(string_to_array(TG_ARGV[3], ' ')) AS f), '{}'));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER events_tell AFTER UPDATE OF halted_at ON "events" FOR EACH ROW WHEN (NEW.halted_at IS NOT NULL AND NEW.halted_at IS DISTINCT FROM OLD.halted_at)
  EXECUTE FUNCTION tell_row('payments_trouble', 'number halted_at', '{"reason": "halted"}', 'ticketsSold=tickets_sold');
CREATE OR REPLACE TRIGGER changes_tell AFTER INSERT ON "changes" FOR EACH ROW WHEN (NEW.field = 'terms')
  EXECUTE FUNCTION tell_row('payments_trouble', 'event_number field', '{"reason": "terms_taken_back"}', '');
CREATE OR REPLACE TRIGGER nodes_tell AFTER UPDATE OF state ON "reports" FOR EACH ROW WHEN (NEW.name = 'nodes' AND NEW.state = 'paused' AND OLD.state <> 'paused')
  EXECUTE FUNCTION tell_row('endpoints', 'since', '{}', '');
CREATE OR REPLACE TRIGGER solvency_tell AFTER INSERT OR UPDATE ON "reports" FOR EACH ROW WHEN (NEW.name = 'solvency' AND NEW.state <> 'covered' AND NEW.at >= NEW.since + interval '10 minutes')
  EXECUTE FUNCTION tell_row('cover_short', 'since', '{}', 'state=state held=held required=required');
CREATE OR REPLACE TRIGGER endings_tell AFTER INSERT ON "endings" FOR EACH ROW WHEN (NEW.kind = 'refunds')
  EXECUTE FUNCTION tell_row('refund_mode', 'event_number', '{}', 'reason=reason');
CREATE OR REPLACE TRIGGER draws_tell AFTER INSERT ON "draws" FOR EACH ROW
  EXECUTE FUNCTION tell_row('drawn', 'event_number', '{}', 'winningTicket=winning_ticket ticketsSold=tickets_sold');
CREATE OR REPLACE TRIGGER prize_acts_tell AFTER INSERT ON "prize_acts" FOR EACH ROW WHEN (NEW.act = 'claimed')
  EXECUTE FUNCTION tell_row('claimed', 'event_number place wallet', '{}', 'place=place wallet=wallet');
-- Sessions are kept for 30 days, and so long a browser is known; a program, which has none, is known by its address.
CREATE OR REPLACE FUNCTION tell_new_browser() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM public.sessions s WHERE s.admin_id = NEW.admin_id AND s.token_hash <> NEW.token_hash
    AND CASE WHEN NEW.browser_hash IS NULL THEN s.browser_hash IS NULL AND s.client_address = NEW.client_address
      ELSE s.browser_hash = NEW.browser_hash END) THEN
    PERFORM public.tell('new_browser', NEW.admin_id || ' ' || extract(epoch FROM NEW.created_at), NULL, jsonb_build_object('address', NEW.client_address,
      'username', (SELECT a.username FROM public.admins a WHERE a.id = NEW.admin_id)));
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER sessions_tell AFTER INSERT ON "sessions" FOR EACH ROW EXECUTE FUNCTION tell_new_browser();
-- A turn to claim a prize ends by the time of blocks alone, with no row of its own: what is public has changed with it. Each lasts as long as the first.
CREATE OR REPLACE FUNCTION end_turns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM draws d JOIN events e ON e.number = d.event_number
    WHERE OLD.block_time < d.turns_from + make_interval(days => 4 * e.claim_days)
      AND floor(extract(epoch FROM OLD.block_time - d.turns_from) / (e.claim_days * 86400.0))
        < floor(extract(epoch FROM NEW.block_time - d.turns_from) / (e.claim_days * 86400.0))) THEN
    UPDATE house SET version = version + 1;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER cursors_turns AFTER UPDATE OF block_time ON "cursors" FOR EACH ROW EXECUTE FUNCTION end_turns();
-- How a transaction ended. 'credited' sorts before 'rejected': one credited payer makes it credited.
CREATE OR REPLACE VIEW paid_transactions AS
SELECT transaction_hash, min(status) AS status, CASE WHEN min(status) = 'rejected' THEN min(reason) END AS reason
FROM payments GROUP BY transaction_hash;
-- What claimPayment (db/payment/claims.ts) asks, in one question instead of six. Each statement sees what was committed while the lock
-- was waited for. What is over the limit is no error, as the server would log each of them for whoever floods it.
CREATE OR REPLACE FUNCTION claim_payment(
  posted_hash text, hint_wallet text, hint_quantity bigint, hint_amount bigint,
  narrow_to_wide text[], lasts text[], limits integer[],
  OUT is_new boolean, OUT is_over boolean, OUT claim_status text, OUT is_due boolean
) LANGUAGE plpgsql AS $$
DECLARE
  found_status text;
  found_reason text;
BEGIN
  is_new := false;
  is_over := false;
  IF cardinality(narrow_to_wide) > 0 THEN
    PERFORM pg_advisory_xact_lock(hashtext('claims ' || narrow_to_wide[cardinality(narrow_to_wide)]));
  END IF;
  FOR i IN 1 .. cardinality(narrow_to_wide) LOOP
    is_over := is_over OR limits[i] <= (
      SELECT count(*) FROM claims c WHERE c.client_address ~>=~ narrow_to_wide[i] AND c.client_address ~<=~ lasts[i]
        AND c.transaction_hash <> posted_hash);
  END LOOP;
  SELECT p.status, p.reason INTO found_status, found_reason FROM paid_transactions p WHERE p.transaction_hash = posted_hash;
  -- Over the limit nothing is taken that would have to be looked up.
  IF found_status IS NOT NULL THEN
    INSERT INTO claims (transaction_hash, wallet_address, quantity, amount, status, reason, next_attempt_at)
    VALUES (posted_hash, hint_wallet, hint_quantity, hint_amount, found_status, found_reason, NULL)
    ON CONFLICT DO NOTHING;
    is_new := FOUND;
  ELSIF NOT is_over THEN
    INSERT INTO claims (transaction_hash, wallet_address, quantity, amount, client_address)
    VALUES (posted_hash, hint_wallet, hint_quantity, hint_amount, narrow_to_wide[1])
    ON CONFLICT DO NOTHING;
    is_new := FOUND;
  END IF;
  IF NOT is_new AND NOT is_over THEN
    UPDATE claims c SET status = 'received', attempts = 0, next_attempt_at = DEFAULT, client_address = narrow_to_wide[1]
    WHERE c.transaction_hash = posted_hash AND c.status = 'not_found';
  END IF;
  SELECT c.status, c.next_attempt_at IS NOT NULL INTO claim_status, is_due
  FROM claims c WHERE c.transaction_hash = posted_hash;
  -- What is known already is answered all the same, but for what would be looked up again.
  is_over := is_over AND NOT is_new AND coalesce(claim_status = 'not_found', true);
END $$;
-- Winners and prizes of an event follow from its content, whatever program writes them: the same terms name both.
CREATE OR REPLACE FUNCTION guard_content_winners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.winners, NEW.prizes, NEW.content) IS NOT DISTINCT FROM (OLD.winners, OLD.prizes, OLD.content) THEN
    RETURN NEW;
  END IF;
  IF EXISTS (
    WITH told AS (
      SELECT (row_number() OVER (ORDER BY prize.place, copy))::int AS place, prize.value ->> 'kind' AS kind,
        CASE prize.value ->> 'kind' WHEN 'token' THEN ((prize.value ->> 'amount')::numeric * 10000000000000000)::numeric(78, 0) END AS units
      FROM jsonb_array_elements(NEW.content -> 'prizes') WITH ORDINALITY AS prize(value, place),
        generate_series(1, (prize.value ->> 'copies')::int) AS copy)
    SELECT FROM told FULL JOIN generate_series(1, NEW.winners) AS winner(place) USING (place)
    WHERE told.kind IS NULL OR winner.place IS NULL
      OR told.kind IS DISTINCT FROM coalesce(NEW.prizes -> (place - 1) ->> 'kind', 'goods')
      OR told.units IS DISTINCT FROM (NEW.prizes -> (place - 1) ->> 'units')::numeric
  ) THEN
    RAISE EXCEPTION 'winners and prizes of event % are those of its content', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER events_guard_content_winners BEFORE UPDATE OF winners, prizes, content ON "events" FOR EACH ROW WHEN (NEW.content IS NOT NULL) EXECUTE FUNCTION guard_content_winners();
-- A wallet is ours by being an event's alone: no program adds one. What was paid to it in blocks seen before is not the raffle's.
CREATE OR REPLACE FUNCTION watch_wallet() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.operator_wallets (address, since) VALUES (NEW.operator_wallet, public.next_moment()) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER events_watch_wallet AFTER INSERT OR UPDATE OF operator_wallet ON "events" FOR EACH ROW
  WHEN (NEW.operator_wallet IS NOT NULL) EXECUTE FUNCTION watch_wallet();
-- The book of this raffle: named once, by the wallet that event 1 first has.
CREATE OR REPLACE FUNCTION open_book() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.house SET book = '0x' || encode(sha256(convert_to(
    'blockdraw-book-1,' || NEW.chain_id || ',' || NEW.operator_wallet || ',' || extract(epoch FROM NEW.sale_start)::bigint, 'UTF8')), 'hex')
    WHERE book IS NULL;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER events_open_book AFTER INSERT OR UPDATE OF operator_wallet ON "events" FOR EACH ROW
  WHEN (NEW.number = 1 AND NEW.operator_wallet IS NOT NULL) EXECUTE FUNCTION open_book();
-- Who was drawn, a line a place, with the payment that holds the ticket: looked up one by one, as a planner that guesses too many
-- draws would read all payments.
CREATE OR REPLACE VIEW drawn_tickets AS
SELECT d.event_number, one.kind, one.place::integer AS place, (one.drawn ->> 'ticket')::integer AS ticket,
  p.id AS payment, p.payer, p.transaction_hash, p.ticket_number, p.ticket_count
FROM draws d CROSS JOIN LATERAL (
  SELECT 'winner' AS kind, place, drawn FROM jsonb_array_elements(d.winners) WITH ORDINALITY AS winner (drawn, place)
  UNION ALL
  SELECT 'reserve', place, drawn FROM jsonb_array_elements(d.reserves) WITH ORDINALITY AS reserve (drawn, place)
) one CROSS JOIN LATERAL (SELECT * FROM payments WHERE id = (one.drawn ->> 'payment')::bigint OFFSET 0) p;
-- Every payment that has to go back: all of an event that ended in refunds, else what got no ticket.
CREATE OR REPLACE VIEW owed_payments AS
SELECT p.id, p.transaction_hash, p.payer, p.wallet, p.token, p.event_number, p.units, p.ticket_count,
  p.block_number, p.block_time, p.transaction_index, p.first_log_index
FROM payments p JOIN endings o ON o.event_number = p.event_number AND o.kind = 'refunds' WHERE p.ticket_count > 0
  AND (p.lost_at IS NULL OR p.found_at IS NOT NULL)
UNION ALL
SELECT p.id, p.transaction_hash, p.payer, p.wallet, p.token, p.event_number, p.units, p.ticket_count,
  p.block_number, p.block_time, p.transaction_index, p.first_log_index
FROM payments p WHERE p.ticket_number IS NULL AND p.reason NOT IN ('early', 'held')
  AND NOT EXISTS (SELECT FROM transfer_marks m
    WHERE m.transaction_hash = p.transaction_hash AND m.wallet = p.wallet AND m.recipient = p.payer AND m.marked_as = 'own');
-- What `owed_payments` has, from two indexes alone and in their order, so that no payers are sorted. Lost lines and own money are taken off again.
CREATE OR REPLACE VIEW owed_units AS
(SELECT p.payer, p.token, p.event_number, p.units::numeric AS units, p.ticket_count FROM payments p
  WHERE p.ticket_count > 0 AND p.event_number = ANY (ARRAY(SELECT event_number FROM endings WHERE kind = 'refunds'))
  ORDER BY p.payer, p.token, p.event_number)
UNION ALL
(SELECT p.payer, p.token, p.event_number, p.units::numeric, 0 FROM payments p
  WHERE p.ticket_number IS NULL AND p.reason NOT IN ('early', 'held') ORDER BY p.payer, p.token, p.event_number)
UNION ALL
SELECT p.payer, p.token, p.event_number, -p.units::numeric, -p.ticket_count FROM payments p JOIN endings o USING (event_number)
  WHERE p.lost_at IS NOT NULL AND p.found_at IS NULL AND o.kind = 'refunds'
UNION ALL
SELECT p.payer, p.token, p.event_number, -p.units::numeric, 0 FROM transfer_marks m JOIN payments p USING (transaction_hash, wallet)
  WHERE m.recipient = p.payer AND m.marked_as = 'own' AND p.ticket_number IS NULL AND p.reason NOT IN ('early', 'held');
-- Transactions that paid somebody back: by the register, whose `total` is what it remembers then, or marked as a refund.
CREATE OR REPLACE VIEW refund_receipts AS
SELECT recipient AS payer, token, transaction_hash, block_number, block_time, transaction_index, 0::numeric AS by_hand, total::numeric AS total
FROM outgoing_transfers WHERE total IS NOT NULL
UNION ALL
SELECT t.recipient, t.token, t.transaction_hash, t.block_number, t.block_time, t.transaction_index, t.units::numeric, 0::numeric
FROM outgoing_transfers t JOIN transfer_marks m USING (transaction_hash, wallet, recipient) WHERE t.total IS NULL AND m.marked_as = 'refund';
-- What came back of each owed payment, oldest first. A filter on `payer` comes before the window: few payers are read by index.
CREATE OR REPLACE VIEW payment_refunds AS
SELECT p.id, p.payer, p.token, p.units, greatest(0, least(p.units, coalesce(r.units, 0) + p.units - p.up_to)) AS received, r.transaction_hash, r.block_time
FROM (
  SELECT id, payer, token, units::numeric AS units,
    sum(units) OVER (PARTITION BY payer, token ORDER BY event_number, block_number, transaction_index, first_log_index) AS up_to
  FROM owed_payments
) p LEFT JOIN LATERAL (
  SELECT sum(by_hand) + max(total) AS units, (array_agg(transaction_hash ORDER BY block_number DESC, transaction_index DESC))[1] AS transaction_hash,
    max(block_time) AS block_time
  FROM refund_receipts WHERE payer = p.payer AND token = p.token
) r ON true;
-- What wallets sent, the register paid and anybody anchored above a block is read again from it; null is before the first block.
CREATE OR REPLACE FUNCTION rewind_outgoing(to_height bigint, to_hash text, to_time timestamptz) RETURNS void LANGUAGE sql AS $$
  DELETE FROM outgoing_transfers WHERE coalesce(block_number > to_height, true);
  DELETE FROM anchors WHERE coalesce(block_number > to_height, true);
  DELETE FROM cursors WHERE name = 'outgoing' AND to_height IS NULL;
  UPDATE cursors SET height = to_height, hash = to_hash, block_time = to_time, updated_at = now() WHERE name = 'outgoing' AND height > to_height;
$$;
-- Plain transfers of our wallets, from before one was stolen, of which nobody has said what for.
CREATE OR REPLACE VIEW unjudged_transfers AS
SELECT t.recipient AS payer, t.token, t.block_time
FROM outgoing_transfers t JOIN operator_wallets w ON w.address = t.wallet AND t.block_time < coalesce(w.stolen_from, 'infinity')
WHERE t.total IS NULL AND NOT EXISTS (SELECT FROM transfer_marks m WHERE m.transaction_hash = t.transaction_hash
  AND m.wallet = t.wallet AND m.recipient = t.recipient AND m.marked_as <> 'own');
-- Who is owed what, a line a payer and token, from facts alone: a rewind or a restored backup changes it by being read.
CREATE OR REPLACE VIEW refund_dues AS
SELECT payer, token, owed, by_hand, by_register, greatest(0, owed - by_hand) AS total,
  greatest(0, owed - by_hand) - by_register AS due, had_tickets, stolen_at,
  CASE WHEN sent_at IS NULL THEN false ELSE coalesce(sent_at >= (SELECT min(o.block_time)
    FROM owed_payments o WHERE o.payer = sums.payer AND o.token = sums.token), false) END AS is_unjudged
FROM (
  SELECT payer, token, coalesce(sum(owed), 0) AS owed, coalesce(sum(by_hand), 0) AS by_hand, coalesce(max(remembered), 0) AS by_register,
    coalesce(sum(tickets), 0) > 0 AS had_tickets, max(stolen) AS stolen_at, max(sent_at) AS sent_at
  FROM (
    SELECT payer, token, units AS owed, NULL::numeric AS by_hand, NULL::numeric AS remembered, ticket_count AS tickets,
      NULL::timestamptz AS stolen, NULL::timestamptz AS sent_at FROM owed_units
    UNION ALL
    SELECT p.payer, p.token, NULL, NULL, NULL, NULL, p.block_time, NULL
    FROM operator_wallets w JOIN owed_payments p ON p.wallet = w.address AND p.block_time >= w.stolen_from
    WHERE w.stolen_from IS NOT NULL
    UNION ALL
    SELECT t.recipient, t.token, NULL, t.units, NULL, NULL, NULL, NULL
    FROM outgoing_transfers t JOIN transfer_marks m USING (transaction_hash, wallet, recipient)
    WHERE t.total IS NULL AND m.marked_as = 'refund'
    UNION ALL
    SELECT payer, token, NULL, NULL, NULL, NULL, NULL, block_time FROM unjudged_transfers
    UNION ALL
    (SELECT r.recipient, r.token, NULL, NULL, r.total, NULL, NULL, NULL FROM outgoing_transfers r
      WHERE r.total IS NOT NULL ORDER BY r.recipient, r.token)
  ) facts GROUP BY payer, token
) sums WHERE owed > 0 OR by_hand > 0 OR by_register > 0;
