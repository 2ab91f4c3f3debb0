INSERT INTO "event_settings" ("id") VALUES (1);--> statement-breakpoint
INSERT INTO "settings" ("id") VALUES (1);--> statement-breakpoint
INSERT INTO "public_version" ("id", "version") VALUES (1, 1);--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER draws_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "draws" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER changes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "changes" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE FUNCTION notify_public_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <= OLD.version THEN
    RAISE EXCEPTION 'the public version may not go back' USING ERRCODE = 'restrict_violation';
  END IF;
  PERFORM pg_notify('public_version', NEW.version::text);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER public_version_notify BEFORE UPDATE ON "public_version" FOR EACH ROW EXECUTE FUNCTION notify_public_version();
