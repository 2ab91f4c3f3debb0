ALTER TABLE "admins" ADD COLUMN "one_time_until" timestamp with time zone;--> statement-breakpoint
-- What drizzle-kit does not generate: any new password that is not printed is its owner's own, whichever release writes it.
CREATE FUNCTION clear_one_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.one_time_until := NULL;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER admins_clear_one_time BEFORE UPDATE OF password_hash ON "admins" FOR EACH ROW WHEN (NEW.password_hash <> OLD.password_hash AND NEW.one_time_until IS NOT DISTINCT FROM OLD.one_time_until) EXECUTE FUNCTION clear_one_time();
