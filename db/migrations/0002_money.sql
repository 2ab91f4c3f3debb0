CREATE TABLE "flow_breaks" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "solvency" (
	"event_number" integer PRIMARY KEY NOT NULL,
	"height" bigint NOT NULL,
	"facts" jsonb NOT NULL,
	"points" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"dust" numeric(78, 0) NOT NULL,
	"asked_at" timestamp with time zone,
	"reckoned_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_openings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"token" text NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"units" numeric(78, 0),
	"why" text,
	"is_on_chain" boolean DEFAULT true NOT NULL,
	"closed_at" timestamp with time zone,
	"received_to" bigint,
	"checked_block" bigint,
	"difference" numeric(78, 0),
	"broken_at" timestamp with time zone,
	"broken_by" numeric(78, 0),
	CONSTRAINT "wallet_openings_told" CHECK (("wallet_openings"."units" is null) = ("wallet_openings"."why" is not null))
);
--> statement-breakpoint
CREATE TABLE "wallet_receipts" (
	"transaction_hash" text NOT NULL,
	"wallet" text NOT NULL,
	"token" text NOT NULL,
	"log_position" integer NOT NULL,
	"payer" text NOT NULL,
	"units" numeric(78, 0) NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"transaction_index" integer NOT NULL,
	"log_index" integer NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "wallet_receipts_transaction_hash_wallet_token_log_position_pk" PRIMARY KEY("transaction_hash","wallet","token","log_position"),
	CONSTRAINT "wallet_receipts_units" CHECK ("wallet_receipts"."units" > 0)
);
--> statement-breakpoint
CREATE TABLE "claim_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"used_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prize_claims" (
	"event_number" integer NOT NULL,
	"place" integer NOT NULL,
	"wallet" text NOT NULL,
	"message" text NOT NULL,
	"signature" text NOT NULL,
	"proof" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "prize_claims_event_number_place_wallet_at_pk" PRIMARY KEY("event_number","place","wallet","at")
);
--> statement-breakpoint
CREATE TABLE "prize_receipts" (
	"event_number" integer NOT NULL,
	"place" integer NOT NULL,
	"wallet" text NOT NULL,
	"message" text NOT NULL,
	"signature" text NOT NULL,
	"proof" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "prize_receipts_event_number_place_pk" PRIMARY KEY("event_number","place")
);
--> statement-breakpoint
CREATE TABLE "prize_steps" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_number" integer NOT NULL,
	"place" integer NOT NULL,
	"step" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"wallet" text NOT NULL,
	"transaction_hash" text,
	"round" integer DEFAULT 0 NOT NULL,
	"undoes" bigint,
	"noted_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "prize_steps_undoes" CHECK (("prize_steps"."step" = 'undone') = ("prize_steps"."undoes" is not null))
);
--> statement-breakpoint
CREATE TABLE "prizes" (
	"event_number" integer NOT NULL,
	"place" integer NOT NULL,
	"kind" text NOT NULL,
	"units" numeric(78, 0),
	"token" text NOT NULL,
	"wallet" text NOT NULL,
	"drawn_at" timestamp with time zone NOT NULL,
	"drawn_block" bigint NOT NULL,
	"state" text NOT NULL,
	"holder_kind" text,
	"holder_place" integer,
	"holder_wallet" text,
	"holder_is_contract" boolean,
	"claim_by" timestamp with time zone,
	"reached_at" timestamp with time zone NOT NULL,
	"tracking" text,
	CONSTRAINT "prizes_event_number_place_pk" PRIMARY KEY("event_number","place"),
	CONSTRAINT "prizes_units" CHECK (("prizes"."kind" = 'token') = ("prizes"."units" is not null) and "prizes"."units" > 0),
	CONSTRAINT "prizes_state" CHECK (case "prizes"."kind" when 'token' then "prizes"."state" in ('due', 'paid')
        when 'goods' then "prizes"."state" in ('unclaimed', 'claimed', 'shipped', 'delivered') else false end),
	CONSTRAINT "prizes_holder" CHECK (("prizes"."holder_kind" is null) = ("prizes"."holder_wallet" is null) and ("prizes"."holder_place" is null) = ("prizes"."holder_wallet" is null)
        and ("prizes"."holder_wallet" is not null or "prizes"."state" = 'unclaimed'))
);
--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_reason";--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "prizes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "anchors_unread_from" bigint;--> statement-breakpoint
ALTER TABLE "terms_draft" ADD COLUMN "prizes" jsonb;--> statement-breakpoint
ALTER TABLE "wallet_proofs" ADD COLUMN "asked_by" text;--> statement-breakpoint
ALTER TABLE "operator_transfers" ADD COLUMN "transaction_index" integer;--> statement-breakpoint
ALTER TABLE "operator_transfers" ADD COLUMN "log_index" integer;--> statement-breakpoint
ALTER TABLE "operator_transfers" ADD COLUMN "marked_as" text;--> statement-breakpoint
ALTER TABLE "operator_transfers" ADD COLUMN "prize_event" integer;--> statement-breakpoint
ALTER TABLE "operator_transfers" ADD COLUMN "prize_place" integer;--> statement-breakpoint
ALTER TABLE "solvency" ADD CONSTRAINT "solvency_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prizes" ADD CONSTRAINT "prizes_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_openings_open" ON "wallet_openings" USING btree ("wallet","token") WHERE "wallet_openings"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "wallet_receipts_block" ON "wallet_receipts" USING btree ("block_number");--> statement-breakpoint
CREATE UNIQUE INDEX "prize_steps_once" ON "prize_steps" USING btree ("event_number","place","step","wallet","round") WHERE "prize_steps"."step" <> 'undone';--> statement-breakpoint
CREATE UNIQUE INDEX "prize_steps_undone" ON "prize_steps" USING btree ("undoes") WHERE "prize_steps"."undoes" is not null;--> statement-breakpoint
CREATE INDEX "prizes_open" ON "prizes" USING btree ("state") WHERE "prizes"."state" in ('unclaimed', 'claimed', 'due');--> statement-breakpoint
CREATE INDEX "operator_transfers_prize" ON "operator_transfers" USING btree ("prize_event","prize_place") WHERE "operator_transfers"."prize_event" is not null;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_reason" CHECK ("payments"."reason" in ('late', 'early', 'underpaid', 'reverted', 'no_transfer', 'wrong_token', 'old_wallet', 'held', 'missed', 'claim'));--> statement-breakpoint
ALTER TABLE "operator_transfers" ADD CONSTRAINT "operator_transfers_mark" CHECK ("operator_transfers"."marked_as" in ('refund', 'prize', 'other'));--> statement-breakpoint
ALTER TABLE "operator_transfers" ADD CONSTRAINT "operator_transfers_prize" CHECK (("operator_transfers"."prize_event" is null) = ("operator_transfers"."prize_place" is null));--> statement-breakpoint
-- What drizzle-kit does not generate: prizes as a term of the event, and what of a prize never changes.
CREATE TRIGGER prize_steps_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "prize_steps" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER prize_claims_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "prize_claims" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER prize_receipts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "prize_receipts" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER claim_nonces_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "claim_nonces" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE FUNCTION keep_prize() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.event_number, NEW.place, NEW.kind, NEW.units, NEW.token, NEW.wallet, NEW.drawn_at, NEW.drawn_block)
    IS DISTINCT FROM (OLD.event_number, OLD.place, OLD.kind, OLD.units, OLD.token, OLD.wallet, OLD.drawn_at, OLD.drawn_block) THEN
    RAISE EXCEPTION 'a prize stays what was promised to whom' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (OLD.state = 'delivered' AND NEW.state <> 'delivered') OR (OLD.state = 'shipped' AND NEW.state NOT IN ('shipped', 'delivered'))
    OR (OLD.state IN ('shipped', 'delivered') AND NEW.holder_wallet IS DISTINCT FROM OLD.holder_wallet) THEN
    RAISE EXCEPTION 'a prize that is on its way stays with its holder' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER prizes_keep BEFORE UPDATE OR DELETE ON "prizes" FOR EACH ROW EXECUTE FUNCTION keep_prize();--> statement-breakpoint
CREATE FUNCTION guard_prizes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.frozen_at IS NOT NULL AND NEW.frozen_at IS NOT NULL THEN
    RAISE EXCEPTION 'the terms of event % are frozen', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  IF had_tickets(NEW.number) THEN
    RAISE EXCEPTION 'the terms of event % are locked since its first ticket', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER events_guard_prizes BEFORE UPDATE OF prizes ON "events" FOR EACH ROW WHEN (NEW.prizes IS DISTINCT FROM OLD.prizes) EXECUTE FUNCTION guard_prizes();--> statement-breakpoint
-- As people read it: the places whose prize is money, `goods` where there is none.
CREATE FUNCTION prizes_text(prizes jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(string_agg(place || ': ' || trim_scale((prize ->> 'units')::numeric * 0.000000000000000001) || ' USDT', ', ' ORDER BY place), 'goods')
  FROM jsonb_array_elements(prizes) WITH ORDINALITY AS chosen (prize, place) WHERE prize ->> 'kind' = 'token'
$$;--> statement-breakpoint
CREATE FUNCTION list_prizes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (event_number, field, "from", "to") VALUES (NEW.number, 'prizes', prizes_text(OLD.prizes), prizes_text(NEW.prizes));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER events_list_prizes AFTER UPDATE OF prizes ON "events" FOR EACH ROW WHEN (NEW.prizes IS DISTINCT FROM OLD.prizes) EXECUTE FUNCTION list_prizes();
--> statement-breakpoint
CREATE FUNCTION note_flow_break() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.flow_breaks DEFAULT VALUES;
  RETURN NULL;
END $$;--> statement-breakpoint
-- What the watch has just read lies behind its cursor, which moves last: only older transfers change a sum that was made.
CREATE FUNCTION note_transfer_break() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM changed WHERE block_number <= (SELECT height FROM public.refund_watch)) THEN
    INSERT INTO public.flow_breaks DEFAULT VALUES;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER payments_flow_break AFTER DELETE OR TRUNCATE ON "payments" FOR EACH STATEMENT EXECUTE FUNCTION note_flow_break();--> statement-breakpoint
CREATE TRIGGER operator_transfers_added_break AFTER INSERT ON "operator_transfers" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_transfer_break();--> statement-breakpoint
CREATE TRIGGER operator_transfers_changed_break AFTER UPDATE ON "operator_transfers" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_transfer_break();--> statement-breakpoint
CREATE TRIGGER refund_row_payments_flow_break AFTER UPDATE OF paid_by ON "refund_row_payments" FOR EACH STATEMENT EXECUTE FUNCTION note_flow_break();--> statement-breakpoint
-- What these say of older money counts from now on.
CREATE TRIGGER draws_flow_break AFTER INSERT ON "draws" FOR EACH STATEMENT EXECUTE FUNCTION note_flow_break();--> statement-breakpoint
CREATE TRIGGER events_flow_break AFTER UPDATE OF refund_mode_at ON "events" FOR EACH ROW WHEN (NEW.refund_mode_at IS DISTINCT FROM OLD.refund_mode_at) EXECUTE FUNCTION note_flow_break();--> statement-breakpoint
CREATE TRIGGER operator_wallets_flow_break AFTER INSERT OR UPDATE OF own_since, proven_since ON "operator_wallets" FOR EACH STATEMENT EXECUTE FUNCTION note_flow_break();--> statement-breakpoint
CREATE TRIGGER flow_breaks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "flow_breaks" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- The scan reads one token: of another one nothing is known from here on, also if it comes back.
CREATE FUNCTION close_openings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.wallet_openings SET closed_at = now() WHERE closed_at IS NULL AND token <> NEW.token;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER events_close_openings AFTER INSERT OR UPDATE OF token ON "events" FOR EACH ROW EXECUTE FUNCTION close_openings();
--> statement-breakpoint
-- The moment of a row in the audit list, too, is the database's to tell. Only who
-- owns the tables may say another one, as for a list that is restored. It is refused, not put right: a row that was sent
-- to the month of its moment cannot be moved to another one here.
CREATE OR REPLACE FUNCTION chain_audit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  last public.audit_chain;
BEGIN
  -- The function runs as the owner, so that is who the current user is.
  IF NEW."at" IS DISTINCT FROM now() AND NOT pg_has_role(session_user, current_user, 'MEMBER') THEN
    RAISE EXCEPTION 'rows of audit are written now' USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT * INTO STRICT last FROM public.audit_chain WHERE id = 1 FOR UPDATE;
  NEW.id := last.last_id + 1;
  NEW.hash := public.audit_hash(last.hash, public.audit_line(NEW.id, NEW."at", NEW.actor, NEW.client_address,
    NEW.action, NEW.outcome, NEW."before", NEW."after", NEW.request_id));
  UPDATE public.audit_chain SET last_id = NEW.id, hash = NEW.hash WHERE id = 1;
  RETURN NEW;
END $$;
