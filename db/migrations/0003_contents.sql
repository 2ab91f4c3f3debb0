CREATE TABLE "channels" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "channels_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"language" text NOT NULL,
	"settings" jsonb NOT NULL,
	"secret" "bytea",
	"events" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "channels_values" CHECK ("channels"."kind" in ('webhook', 'telegram', 'email') and "channels"."language" in ('ko', 'en')),
	CONSTRAINT "channels_removed" CHECK ("channels"."removed_at" is null or ("channels"."secret" is null and not "channels"."enabled"))
);
--> statement-breakpoint
CREATE TABLE "content_draft" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"content_id" bigint,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "content_draft_one" CHECK ("content_draft"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "contents" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_number" integer NOT NULL,
	"content" jsonb NOT NULL,
	"content_sha256" text NOT NULL,
	"saved_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"saved_by" text,
	CONSTRAINT "contents_sha256" CHECK ("contents"."content_sha256" ~ '^0x[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "corrections" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_number" integer NOT NULL,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"en" text NOT NULL,
	"ko" text NOT NULL,
	"added_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"notification_id" bigint NOT NULL,
	"channel_id" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"first_tried_at" timestamp with time zone,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"taken_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"problem" text,
	CONSTRAINT "deliveries_once" UNIQUE("notification_id","channel_id"),
	CONSTRAINT "deliveries_state" CHECK ("deliveries"."state" in ('waiting', 'sent', 'given_up', 'dropped') and ("deliveries"."state" = 'sent') = ("deliveries"."sent_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "house_rules" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"min_age" integer,
	"require_acceptance" boolean DEFAULT false NOT NULL,
	"terms_sha256" text,
	"privacy_sha256" text,
	"closed_countries" text[] DEFAULT '{}' NOT NULL,
	"self_bar" boolean DEFAULT false NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "house_rules_one" CHECK ("house_rules"."id" = 1),
	CONSTRAINT "house_rules_age" CHECK ("house_rules"."min_age" between 14 and 30),
	CONSTRAINT "house_rules_acceptance" CHECK ("house_rules"."terms_sha256" is not null or not "house_rules"."require_acceptance")
);
--> statement-breakpoint
CREATE TABLE "legal_texts" (
	"sha256" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"en" text NOT NULL,
	"ko" text NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "legal_texts_kind" CHECK ("legal_texts"."kind" in ('terms', 'privacy')),
	CONSTRAINT "legal_texts_sha256" CHECK ("legal_texts"."sha256" ~ '^0x[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"key" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"event_number" integer,
	"facts" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notifications_key_unique" UNIQUE("key"),
	CONSTRAINT "notifications_once" UNIQUE("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "self_bars" (
	"wallet" text PRIMARY KEY NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"message" text NOT NULL,
	"signature" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "terms_draft" DROP CONSTRAINT "terms_draft_kept";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_reason";--> statement-breakpoint
DROP INDEX "payments_payer";--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "content_id" bigint;--> statement-breakpoint
ALTER TABLE "solvency" ADD COLUMN "untold" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "claims" ADD COLUMN "accepted" jsonb;--> statement-breakpoint
ALTER TABLE "prize_steps" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "content_draft" ADD CONSTRAINT "content_draft_content_id_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."contents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notifications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "house_rules" ADD CONSTRAINT "house_rules_terms_sha256_legal_texts_sha256_fk" FOREIGN KEY ("terms_sha256") REFERENCES "public"."legal_texts"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "house_rules" ADD CONSTRAINT "house_rules_privacy_sha256_legal_texts_sha256_fk" FOREIGN KEY ("privacy_sha256") REFERENCES "public"."legal_texts"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contents_of_event" ON "contents" USING btree ("event_number","id");--> statement-breakpoint
CREATE INDEX "corrections_of_event" ON "corrections" USING btree ("event_number","id");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("next_try_at") WHERE "deliveries"."state" = 'waiting';--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_content_id_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."contents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "changes_of_event" ON "changes" USING btree ("event_number","id");--> statement-breakpoint
CREATE INDEX "payments_holders" ON "payments" USING btree ("payer","event_number","ticket_count");--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_caps" CHECK ("events"."max_tickets" between 1 and 2000000000 and "events"."max_per_wallet" between 1 and 2000000000 and "events"."max_per_wallet" <= "events"."max_tickets" and "events"."tickets_sold" <= "events"."max_tickets");--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_content" CHECK (("events"."content_id" is null) = ("events"."content_sha256" is null));--> statement-breakpoint
ALTER TABLE "terms_draft" ADD CONSTRAINT "terms_draft_caps" CHECK ("terms_draft"."max_tickets" between 1 and 2000000000 and "terms_draft"."max_per_wallet" between 1 and 2000000000 and "terms_draft"."max_per_wallet" <= "terms_draft"."max_tickets");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_reason" CHECK ("payments"."reason" in ('late', 'early', 'underpaid', 'reverted', 'no_transfer', 'wrong_token', 'old_wallet', 'held', 'missed', 'over_cap', 'claim'));--> statement-breakpoint
ALTER TABLE "prize_steps" ADD CONSTRAINT "prize_steps_reason" CHECK (("prize_steps"."step" = 'corrected') = ("prize_steps"."reason" is not null));--> statement-breakpoint
-- What drizzle-kit does not generate: the draft's one row, and that what was said of an event stays.
INSERT INTO "content_draft" ("id") VALUES (1);--> statement-breakpoint
CREATE TRIGGER contents_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "contents" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER corrections_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "corrections" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- The texts that are no term, too, stay as the first buyer was told.
CREATE FUNCTION guard_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.content_sha256 IS DISTINCT FROM (SELECT content_sha256 FROM contents WHERE id = NEW.content_id) THEN
    RAISE EXCEPTION 'event % names another SHA-256 than its content', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  IF TG_OP = 'INSERT' OR NEW.content_id IS NOT DISTINCT FROM OLD.content_id THEN
    RETURN NEW;
  END IF;
  IF OLD.archived_at IS NOT NULL OR (OLD.frozen_at IS NOT NULL AND NEW.frozen_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the content of event % is frozen', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  IF had_tickets(NEW.number) THEN
    RAISE EXCEPTION 'the content of event % is locked since its first ticket', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER events_guard_content BEFORE INSERT OR UPDATE OF content_id, content_sha256 ON "events" FOR EACH ROW EXECUTE FUNCTION guard_content();--> statement-breakpoint
-- Whatever program counts tickets: one of a release that knows no cap for a wallet sells nothing beyond it, as CHECKs have it for the cap of all.
CREATE FUNCTION guard_wallet_cap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT payer FROM payments WHERE event_number = NEW.number AND ticket_number > OLD.tickets_sold) added
    WHERE (SELECT sum(p.ticket_count) FROM payments p WHERE p.payer = added.payer AND p.event_number = NEW.number) > NEW.max_per_wallet
  ) THEN
    RAISE EXCEPTION 'a wallet has more tickets of event % than it may have', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER events_guard_wallet_cap AFTER UPDATE OF tickets_sold ON "events" FOR EACH ROW WHEN (
  NEW.max_per_wallet IS NOT NULL AND NEW.tickets_sold > OLD.tickets_sold) EXECUTE FUNCTION guard_wallet_cap();--> statement-breakpoint
-- What drizzle-kit does not generate.
INSERT INTO "house_rules" ("id") VALUES (1);--> statement-breakpoint
CREATE TRIGGER legal_texts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "legal_texts" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- What drizzle-kit does not generate: a sum of money that was made from blocks which are read again.
CREATE TRIGGER scan_cursor_flow_break AFTER UPDATE ON "scan_cursor" FOR EACH ROW WHEN (NEW.height < OLD.height) EXECUTE FUNCTION note_flow_break();--> statement-breakpoint
CREATE TRIGGER scan_cursor_gone_flow_break AFTER DELETE ON "scan_cursor" FOR EACH ROW EXECUTE FUNCTION note_flow_break();--> statement-breakpoint
CREATE TRIGGER refund_watch_flow_break AFTER UPDATE ON "refund_watch" FOR EACH ROW WHEN (NEW.height < OLD.height) EXECUTE FUNCTION note_flow_break();--> statement-breakpoint
CREATE TRIGGER refund_watch_gone_flow_break AFTER DELETE ON "refund_watch" FOR EACH ROW EXECUTE FUNCTION note_flow_break();
--> statement-breakpoint
-- What was wrongly said to be sent goes back to `claimed`, once the public step that says so is there.
CREATE OR REPLACE FUNCTION keep_prize() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.event_number, NEW.place, NEW.kind, NEW.units, NEW.token, NEW.wallet, NEW.drawn_at, NEW.drawn_block)
    IS DISTINCT FROM (OLD.event_number, OLD.place, OLD.kind, OLD.units, OLD.token, OLD.wallet, OLD.drawn_at, OLD.drawn_block) THEN
    RAISE EXCEPTION 'a prize stays what was promised to whom' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (OLD.state = 'delivered' AND NEW.state <> 'delivered')
    OR (OLD.state = 'shipped' AND NEW.state NOT IN ('shipped', 'delivered') AND (NEW.state <> 'claimed' OR 'corrected' IS DISTINCT FROM (
      SELECT step FROM public.prize_steps WHERE event_number = NEW.event_number AND place = NEW.place AND step IN ('shipped', 'corrected')
      ORDER BY id DESC LIMIT 1)))
    OR (OLD.state IN ('shipped', 'delivered') AND NEW.holder_wallet IS DISTINCT FROM OLD.holder_wallet) THEN
    RAISE EXCEPTION 'a prize that is on its way stays with its holder' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
-- What drizzle-kit does not generate: what is told is written by the transaction that makes it happen.
CREATE TRIGGER notifications_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "notifications" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- A test is for one channel, whose delivery the API adds itself.
CREATE FUNCTION fan_out() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.deliveries (notification_id, channel_id)
    SELECT NEW.id, c.id FROM public.channels c WHERE c.enabled AND NEW.kind = ANY (c.events);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER notifications_fan_out AFTER INSERT ON "notifications" FOR EACH ROW WHEN (NEW.kind <> 'test') EXECUTE FUNCTION fan_out();--> statement-breakpoint
-- What happens goes on where telling it fails: the log of the database says so then.
CREATE FUNCTION tell(kind text, subject text, event_number integer, facts jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.notifications (kind, subject, event_number, facts)
    SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM public.notifications n WHERE n.kind = $1 AND n.subject = $2)
    ON CONFLICT DO NOTHING;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'not told: % %: % (%)', $1, $2, SQLERRM, SQLSTATE;
END $$;--> statement-breakpoint
CREATE FUNCTION tell_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  event text := NEW.number::text;
BEGIN
  IF OLD.tickets_sold = 0 AND NEW.tickets_sold > 0 THEN
    PERFORM public.tell('first_payment', event, NEW.number, jsonb_build_object('ticketsSold', NEW.tickets_sold));
  END IF;
  IF NEW.tickets_sold >= NEW.min_tickets AND OLD.tickets_sold < OLD.min_tickets THEN
    PERFORM public.tell('minimum_reached', event, NEW.number,
      jsonb_build_object('ticketsSold', NEW.tickets_sold, 'minTickets', NEW.min_tickets));
  END IF;
  IF NEW.frozen_at IS NOT NULL AND OLD.frozen_at IS NULL THEN
    PERFORM public.tell('frozen', event || ' ' || NEW.ledger_sha256, NEW.number,
      jsonb_build_object('ticketsSold', NEW.tickets_sold, 'ledgerSha256', NEW.ledger_sha256));
  END IF;
  IF NEW.halted_at IS NOT NULL AND NEW.halted_at IS DISTINCT FROM OLD.halted_at THEN
    PERFORM public.tell('halted', event || ' ' || extract(epoch FROM NEW.halted_at), NEW.number,
      jsonb_build_object('ticketsSold', NEW.tickets_sold));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER events_tell AFTER UPDATE OF tickets_sold, min_tickets, frozen_at, halted_at ON "events" FOR EACH ROW WHEN (
  (OLD.tickets_sold = 0 AND NEW.tickets_sold > 0)
  OR (NEW.tickets_sold >= NEW.min_tickets AND OLD.tickets_sold < OLD.min_tickets)
  OR (NEW.frozen_at IS NOT NULL AND OLD.frozen_at IS NULL)
  OR (NEW.halted_at IS NOT NULL AND NEW.halted_at IS DISTINCT FROM OLD.halted_at)) EXECUTE FUNCTION tell_event();--> statement-breakpoint
CREATE FUNCTION tell_anchor() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.tell('anchored', NEW.event_number || ' ' || NEW.transaction_hash || ' ' || NEW.commitment, NEW.event_number,
    jsonb_build_object('transactionHash', NEW.transaction_hash, 'commitment', NEW.commitment, 'wallet', NEW.wallet));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER anchors_tell AFTER INSERT ON "anchors" FOR EACH ROW EXECUTE FUNCTION tell_anchor();--> statement-breakpoint
CREATE FUNCTION tell_draw() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.tell('drawn', NEW.event_number::text, NEW.event_number, jsonb_build_object(
    'winningTicket', NEW.winning_ticket, 'ticketsSold', NEW.tickets_sold, 'winners', jsonb_array_length(NEW.winners),
    'wallet', (SELECT p.payer FROM public.payments p WHERE p.id = NEW.winning_payment)));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER draws_tell AFTER INSERT ON "draws" FOR EACH ROW EXECUTE FUNCTION tell_draw();--> statement-breakpoint
CREATE FUNCTION tell_refund_mode() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.tell('refund_mode', NEW.event_number::text, NEW.event_number, jsonb_build_object('reason', NEW.reason));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER outcomes_tell AFTER INSERT ON "outcomes" FOR EACH ROW WHEN (NEW.kind = 'refund') EXECUTE FUNCTION tell_refund_mode();--> statement-breakpoint
CREATE FUNCTION tell_claim() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.tell('claimed', NEW.event_number || ' ' || NEW.place || ' ' || NEW.wallet || ' ' || NEW.round, NEW.event_number,
    jsonb_build_object('place', NEW.place, 'wallet', NEW.wallet));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER prize_steps_tell AFTER INSERT ON "prize_steps" FOR EACH ROW WHEN (NEW.step = 'claimed') EXECUTE FUNCTION tell_claim();--> statement-breakpoint
-- A cover that comes and goes is told once an hour.
CREATE FUNCTION tell_cover() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' OR OLD.facts ->> 'state' IS DISTINCT FROM 'short' THEN
    PERFORM public.tell('cover_short', NEW.event_number || ' ' || to_char(NEW.reckoned_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24'),
      NEW.event_number, jsonb_build_object('held', NEW.facts ->> 'held', 'required', NEW.facts ->> 'required'));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER solvency_tell AFTER INSERT OR UPDATE OF facts ON "solvency" FOR EACH ROW WHEN (NEW.facts ->> 'state' = 'short') EXECUTE FUNCTION tell_cover();--> statement-breakpoint
-- A household has an IPv6 /64: of those an address is one. Sessions are kept for 30 days, and so long an address is known.
CREATE FUNCTION household(address text) RETURNS text LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN CASE WHEN address LIKE '%:%' THEN network(set_masklen(address::inet, 64))::text ELSE address END;
EXCEPTION WHEN invalid_text_representation THEN
  RETURN address;
END $$;--> statement-breakpoint
CREATE FUNCTION tell_new_address() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own text := public.household(NEW.client_address);
BEGIN
  IF NOT EXISTS (SELECT FROM public.sessions s WHERE s.admin_id = NEW.admin_id AND s.token_hash <> NEW.token_hash
    AND public.household(s.client_address) = own) THEN
    PERFORM public.tell('new_address', NEW.admin_id || ' ' || own || ' ' || extract(epoch FROM NEW.created_at), NULL, jsonb_build_object(
      'username', (SELECT a.username FROM public.admins a WHERE a.id = NEW.admin_id), 'address', NEW.client_address));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER sessions_tell AFTER INSERT ON "sessions" FOR EACH ROW EXECUTE FUNCTION tell_new_address();
