CREATE TABLE "approvals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "approvals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"action" text NOT NULL,
	"payload_sha256" text NOT NULL,
	"event_number" integer,
	"before" jsonb,
	"after" jsonb,
	"request" jsonb NOT NULL,
	"asked_by" integer NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"approved_by" integer,
	"approved_at" timestamp with time zone,
	"closed_by" integer,
	"closed_at" timestamp with time zone,
	"closed" text,
	"used_at" timestamp with time zone,
	CONSTRAINT "approvals_day" CHECK ("approvals"."ends_at" = "approvals"."asked_at" + interval '24 hours'),
	CONSTRAINT "approvals_other" CHECK ("approvals"."approved_by" <> "approvals"."asked_by"),
	CONSTRAINT "approvals_both" CHECK (("approvals"."approved_by" is null) = ("approvals"."approved_at" is null)),
	CONSTRAINT "approvals_closed" CHECK ("approvals"."closed" in ('refused', 'withdrawn', 'replaced')
        and ("approvals"."closed" is null) = ("approvals"."closed_at" is null) and ("approvals"."closed" is null) = ("approvals"."closed_by" is null)),
	CONSTRAINT "approvals_used" CHECK ("approvals"."used_at" is null or ("approvals"."approved_at" is not null and "approvals"."closed_at" is null and "approvals"."used_at" < "approvals"."ends_at"))
);
--> statement-breakpoint
ALTER TABLE "admins" ADD COLUMN "words_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_asked_by_admins_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_approved_by_admins_id_fk" FOREIGN KEY ("approved_by") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_closed_by_admins_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approvals_asked" ON "approvals" USING btree ("asked_by","action");--> statement-breakpoint
-- Whoever writes: what was asked stays as it was asked, another one's word is given once, and nothing follows on an end.
CREATE FUNCTION guard_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.used_at IS NOT NULL OR OLD.closed_at IS NOT NULL THEN
    RAISE EXCEPTION 'approval % is over', OLD.id;
  END IF;
  IF OLD.approved_by IS NOT NULL AND (NEW.approved_by, NEW.approved_at) IS DISTINCT FROM (OLD.approved_by, OLD.approved_at) THEN
    RAISE EXCEPTION 'approval % was given', OLD.id;
  END IF;
  IF (NEW.id, NEW.action, NEW.payload_sha256, NEW.event_number, NEW.before, NEW.after, NEW.request, NEW.asked_by, NEW.asked_at, NEW.ends_at)
    IS DISTINCT FROM
    (OLD.id, OLD.action, OLD.payload_sha256, OLD.event_number, OLD.before, OLD.after, OLD.request, OLD.asked_by, OLD.asked_at, OLD.ends_at) THEN
    RAISE EXCEPTION 'approval % was asked for otherwise', OLD.id;
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER approvals_steps BEFORE UPDATE ON "approvals" FOR EACH ROW EXECUTE FUNCTION guard_approval();--> statement-breakpoint
-- Another role, a removal, a return, or a password that was made by another: what he has said before counts no longer.
CREATE FUNCTION void_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.words_from := clock_timestamp();
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER admins_void_words BEFORE UPDATE ON "admins" FOR EACH ROW
  WHEN (NEW.role IS DISTINCT FROM OLD.role OR NEW.disabled_at IS DISTINCT FROM OLD.disabled_at
    OR (NEW.one_time_until IS NOT NULL AND NEW.one_time_until IS DISTINCT FROM OLD.one_time_until))
  EXECUTE FUNCTION void_words();
