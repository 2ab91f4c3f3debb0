-- Whoever may give the word learns of it where he is, and so does the one whose session asks without him. Once an hour of the
-- same kind: who asks and withdraws without end must not bury what else is told.
CREATE FUNCTION tell_word_wanted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM public.tell('word_wanted',
    NEW.asked_by || ' ' || NEW.action || ' ' || to_char(NEW.asked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24'), NULL,
    jsonb_build_object('username', (SELECT a.username FROM public.admins a WHERE a.id = NEW.asked_by), 'action', NEW.action));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER approvals_tell AFTER INSERT ON "approvals" FOR EACH ROW EXECUTE FUNCTION tell_word_wanted();
