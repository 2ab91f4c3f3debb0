CREATE TABLE "audit_archives" (
	"last_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"rows" bigint NOT NULL,
	"before" text NOT NULL,
	"file_name" text NOT NULL,
	"file_sha256" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "audit_chain" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"last_id" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "audit_chain_one" CHECK ("audit_chain"."id" = 1)
);--> statement-breakpoint
DROP INDEX "audit_at";--> statement-breakpoint
ALTER TABLE "audit" ALTER COLUMN "id" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_action" ON "audit" USING btree ("action","id");--> statement-breakpoint
-- What drizzle-kit does not generate: the audit list in partitions by month, its rows held together by hashes.
ALTER TABLE "audit" RENAME TO "audit_unchained";--> statement-breakpoint
ALTER TABLE "audit_unchained" RENAME CONSTRAINT "audit_pkey" TO "audit_unchained_pkey";--> statement-breakpoint
DROP INDEX "audit_action";--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint DEFAULT 0 NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"client_address" text,
	"action" text NOT NULL,
	"outcome" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"request_id" text,
	"hash" text DEFAULT '' NOT NULL,
	CONSTRAINT "audit_pkey" PRIMARY KEY ("id", "at")
) PARTITION BY RANGE ("at");--> statement-breakpoint
CREATE INDEX "audit_action" ON "audit" USING btree ("action","id");--> statement-breakpoint
CREATE TABLE "audit_default" PARTITION OF "audit" DEFAULT;--> statement-breakpoint
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON "audit_default" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE FUNCTION make_audit_month(month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text := 'audit_' || to_char(month, 'YYYY_MM');
BEGIN
  EXECUTE format('CREATE TABLE public.%I PARTITION OF public.audit FOR VALUES FROM (%L) TO (%L)', name,
    month::timestamp AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
  EXECUTE format('CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON public.%I '
    'FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change()', name);
END $$;--> statement-breakpoint
-- A row as the text that is hashed. A column that is added later joins it only where it is not null.
CREATE FUNCTION audit_line(id bigint, "at" timestamptz, actor text, client_address text, action text, outcome text, "before" jsonb, "after" jsonb, request_id text)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT (jsonb_build_object('id', id, 'at', "at" AT TIME ZONE 'UTC', 'actor', actor,
      'clientAddress', client_address, 'action', action, 'outcome', outcome, 'requestId', request_id)
    || CASE WHEN "before" IS NULL THEN '{}' ELSE jsonb_build_object('before', "before") END
    || CASE WHEN "after" IS NULL THEN '{}' ELSE jsonb_build_object('after', "after") END)::text
$$;--> statement-breakpoint
CREATE FUNCTION audit_hash(former text, line text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(former || ' ' || line, 'UTF8')), 'hex')
$$;--> statement-breakpoint
DO $$
DECLARE
  made date;
  found audit_unchained;
  last audit_chain := (1, 0, repeat('0', 64));
BEGIN
  FOR made IN SELECT DISTINCT date_trunc('month', "at" AT TIME ZONE 'UTC')::date FROM audit_unchained ORDER BY 1 LOOP
    PERFORM make_audit_month(made);
  END LOOP;
  FOR found IN SELECT * FROM audit_unchained ORDER BY id LOOP
    found.hash := audit_hash(last.hash, audit_line(found.id, found."at", found.actor, found.client_address,
      found.action, found.outcome, found."before", found."after", found.request_id));
    INSERT INTO audit SELECT found.*;
    last.last_id := found.id;
    last.hash := found.hash;
  END LOOP;
  INSERT INTO audit_chain SELECT last.*;
END $$;--> statement-breakpoint
DROP TABLE "audit_unchained";--> statement-breakpoint
-- Gives each row the next place and its hash, whatever was inserted. It runs as the owner of the tables, so that who
-- may add rows may not write to the head of the chain. The head is locked to the end of the transaction: one that
-- adds a row should do that last.
CREATE FUNCTION chain_audit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  last public.audit_chain;
BEGIN
  SELECT * INTO STRICT last FROM public.audit_chain WHERE id = 1 FOR UPDATE;
  NEW.id := last.last_id + 1;
  NEW.hash := public.audit_hash(last.hash, public.audit_line(NEW.id, NEW."at", NEW.actor, NEW.client_address,
    NEW.action, NEW.outcome, NEW."before", NEW."after", NEW.request_id));
  UPDATE public.audit_chain SET last_id = NEW.id, hash = NEW.hash WHERE id = 1;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER audit_chained BEFORE INSERT ON "audit" FOR EACH ROW EXECUTE FUNCTION chain_audit();--> statement-breakpoint
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- Partitions take over triggers of rows alone.
CREATE TRIGGER audit_rows_append_only BEFORE UPDATE OR DELETE ON "audit" FOR EACH ROW EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER audit_archives_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_archives" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- Of other tables, behind the hashing: nobody waits for them meanwhile.
ALTER TABLE "admins" ADD COLUMN "one_time_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device_hash" text;--> statement-breakpoint
CREATE INDEX "login_failures_range" ON "login_failures" USING btree ("client_address" text_pattern_ops,"at");--> statement-breakpoint
CREATE INDEX "claims_unresolved_range" ON "claims" USING btree ("client_address" text_pattern_ops) WHERE "claims"."client_address" is not null;--> statement-breakpoint
CREATE INDEX "claims_given_up" ON "claims" USING btree ("created_at") WHERE "claims"."status" = 'not_found';--> statement-breakpoint
-- A new password that is not printed is its owner's own, whichever release writes it.
CREATE FUNCTION clear_one_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.one_time_until := NULL;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER admins_clear_one_time BEFORE UPDATE OF password_hash ON "admins" FOR EACH ROW WHEN (NEW.password_hash <> OLD.password_hash AND NEW.one_time_until IS NOT DISTINCT FROM OLD.one_time_until) EXECUTE FUNCTION clear_one_time();
