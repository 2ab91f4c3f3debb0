-- What claimPayment (db/payment/claims.ts) does, in one question to the database instead of six: a program of the release before goes on
-- asking them one by one, under the same lock. Each statement sees what was committed while the lock was waited for. What is over
-- the limit is not raised as an error, as the server would log each of them for whoever floods it.
CREATE FUNCTION claim_payment(
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
  -- 'credited' sorts before 'rejected': one credited payer makes the transaction credited.
  SELECT min(p.status), CASE WHEN min(p.status) = 'rejected' THEN min(p.reason) END INTO found_status, found_reason
  FROM payments p WHERE p.transaction_hash = posted_hash;
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
