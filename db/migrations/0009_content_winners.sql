-- Winners and prizes of an event follow from its content, whatever program writes them: one of a release that knows no contents
-- would promise in the terms what the content, which the same terms name, does not.
CREATE FUNCTION guard_content_winners() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.winners, NEW.prizes, NEW.content_id) IS NOT DISTINCT FROM (OLD.winners, OLD.prizes, OLD.content_id) THEN
    RETURN NEW;
  END IF;
  IF EXISTS (
    WITH told AS (
      SELECT (row_number() OVER (ORDER BY prize.place, copy))::int AS place, prize.value ->> 'kind' AS kind,
        CASE prize.value ->> 'kind' WHEN 'token' THEN ((prize.value ->> 'amount')::numeric * 10000000000000000)::numeric(78, 0) END AS units
      FROM contents c, jsonb_array_elements(c.content -> 'prizes') WITH ORDINALITY AS prize(value, place),
        generate_series(1, (prize.value ->> 'copies')::int) AS copy
      WHERE c.id = NEW.content_id)
    SELECT FROM told FULL JOIN generate_series(1, NEW.winners) AS winner(place) USING (place)
    WHERE told.kind IS NULL OR winner.place IS NULL
      OR told.kind IS DISTINCT FROM coalesce(NEW.prizes -> (place - 1) ->> 'kind', 'goods')
      OR told.units IS DISTINCT FROM (NEW.prizes -> (place - 1) ->> 'units')::numeric
  ) THEN
    RAISE EXCEPTION 'winners and prizes of event % are those of its content', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER events_guard_content_winners BEFORE UPDATE OF winners, prizes, content_id ON "events" FOR EACH ROW WHEN (NEW.content_id IS NOT NULL) EXECUTE FUNCTION guard_content_winners();
