CREATE TABLE "admins" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admins_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"password_hash" text NOT NULL,
	"one_time_until" timestamp with time zone,
	"otp_secret" "bytea",
	"otp_pending_secret" "bytea",
	"otp_pending_since" timestamp with time zone,
	"otp_confirmed_at" timestamp with time zone,
	"otp_last_step" bigint DEFAULT 0 NOT NULL,
	"recovery_hashes" text[] DEFAULT '{}'::text[] NOT NULL,
	"language" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_only" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	CONSTRAINT "admins_language" CHECK ("admins"."language" in ('ko', 'en'))
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor" text NOT NULL,
	"client_address" text,
	"action" text NOT NULL,
	"outcome" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"admin_id" integer NOT NULL,
	"purpose" text NOT NULL,
	"bound_to" text NOT NULL,
	"origin" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "passkeys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"admin_id" integer NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] DEFAULT '{}'::text[] NOT NULL,
	"rp_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"admin_id" integer NOT NULL,
	"client_address" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"fresh_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	"browser_hash" text
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"key" text PRIMARY KEY NOT NULL,
	"admin_id" integer NOT NULL,
	"client_address" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "anchor_sends" (
	"wallet" text NOT NULL,
	"nonce" integer NOT NULL,
	"attempt" integer NOT NULL,
	"event_number" integer,
	"commitment" text,
	"gas_price" numeric(78, 0) NOT NULL,
	"transaction_hash" text NOT NULL,
	"sent_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "anchor_sends_wallet_nonce_attempt_pk" PRIMARY KEY("wallet","nonce","attempt"),
	CONSTRAINT "anchor_sends_what" CHECK (("anchor_sends"."event_number" is null) = ("anchor_sends"."commitment" is null))
);
--> statement-breakpoint
CREATE TABLE "anchors" (
	"event_number" integer NOT NULL,
	"wallet" text NOT NULL,
	"commitment" text NOT NULL,
	"transaction_hash" text NOT NULL,
	"block_number" bigint NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"log_index" integer NOT NULL,
	CONSTRAINT "anchors_transaction_hash_log_index_pk" PRIMARY KEY("transaction_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "beacons" (
	"chain_hash" text NOT NULL,
	"round" bigint NOT NULL,
	"signature" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"source" text NOT NULL,
	CONSTRAINT "beacons_chain_hash_round_signature_pk" PRIMARY KEY("chain_hash","round","signature")
);
--> statement-breakpoint
CREATE TABLE "draws" (
	"event_number" integer PRIMARY KEY NOT NULL,
	"blocks" jsonb NOT NULL,
	"ledger_sha256" text NOT NULL,
	"tickets_sold" integer NOT NULL,
	"block_seed" text NOT NULL,
	"beacon" jsonb,
	"seed" text NOT NULL,
	"counter" integer NOT NULL,
	"random_number" numeric(78, 0) NOT NULL,
	"winning_ticket" integer NOT NULL,
	"winning_payment" bigint NOT NULL,
	"winners" jsonb NOT NULL,
	"reserves" jsonb NOT NULL,
	"drawn_at" timestamp with time zone DEFAULT now() NOT NULL,
	"turns_from" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "draws_winning" CHECK ("draws"."winning_ticket" between 1 and "draws"."tickets_sold")
);
--> statement-breakpoint
CREATE TABLE "prize_acts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_number" integer NOT NULL,
	"place" integer NOT NULL,
	"act" text NOT NULL,
	"wallet" text NOT NULL,
	"nonce" text,
	"message" text,
	"signature" text,
	"proof" text,
	"tracking" text,
	"reason" text,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "prize_acts_nonce_unique" UNIQUE("nonce"),
	CONSTRAINT "prize_acts_act" CHECK ("prize_acts"."act" in ('claimed', 'sent', 'corrected', 'delivered')),
	CONSTRAINT "prize_acts_signed" CHECK (num_nonnulls("prize_acts"."nonce", "prize_acts"."message", "prize_acts"."signature", "prize_acts"."proof") = case "prize_acts"."act" when 'claimed' then 4 else 0 end),
	CONSTRAINT "prize_acts_tracking" CHECK ("prize_acts"."act" = 'sent' or "prize_acts"."tracking" is null),
	CONSTRAINT "prize_acts_reason" CHECK (("prize_acts"."act" = 'corrected') = ("prize_acts"."reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_number" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"field" text NOT NULL,
	"from" text,
	"to" text
);
--> statement-breakpoint
CREATE TABLE "endings" (
	"event_number" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"reason" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "endings_reason" CHECK ("endings"."kind" in ('drawn', 'refunds') and ("endings"."kind" = 'refunds') = ("endings"."reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "events" (
	"number" integer PRIMARY KEY NOT NULL,
	"ticket_price" numeric(78, 0) NOT NULL,
	"sale_lead_seconds" integer NOT NULL,
	"operator_wallet" text,
	"chain_id" bigint NOT NULL,
	"token" text NOT NULL,
	"min_tickets" integer NOT NULL,
	"sale_start" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone,
	"draw_date" timestamp with time zone,
	"sale_end" timestamp with time zone,
	"auto_draw" boolean DEFAULT true NOT NULL,
	"entropy" text DEFAULT 'blocks' NOT NULL,
	"winners" integer DEFAULT 1 NOT NULL,
	"prizes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"claim_days" integer DEFAULT 30 NOT NULL,
	"anchor_wallet" text,
	"content_sha256" text,
	"content" jsonb,
	"drafted" text[] DEFAULT '{}' NOT NULL,
	"terms" text,
	"locked_at" timestamp with time zone,
	"google_form_url" text,
	"tickets_sold" integer DEFAULT 0 NOT NULL,
	"frozen_at" timestamp with time zone,
	"ledger_sha256" text,
	"ledger_lines" integer,
	"read_twice_to" bigint,
	"read_twice_time" timestamp with time zone,
	"read_twice_failed_at" timestamp with time zone,
	"stopped_at" timestamp with time zone,
	"refund_notice" boolean DEFAULT false NOT NULL,
	"halted_at" timestamp with time zone,
	"draw_wanted_at" timestamp with time zone,
	"draw_blocks" jsonb,
	"beacon_round" jsonb,
	"winner_cleared_at" timestamp with time zone,
	"redrawn_at" timestamp with time zone,
	"wallet_proven_at" timestamp with time zone,
	"archived_at" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "events_terms" CHECK ("events"."ticket_price" > 0 and "events"."sale_lead_seconds" >= 10),
	CONSTRAINT "events_promises" CHECK ("events"."entropy" in ('blocks', 'blocks+drand') and "events"."winners" between 1 and 20 and "events"."claim_days" between 7 and 90),
	CONSTRAINT "events_wallet" CHECK ("events"."operator_wallet" not in ("events"."token", '0x0000000000000000000000000000000000000000', '0x286ae09cf3f6cbddd7c4dded65883189a73dbffd')
        and "events"."anchor_wallet" not in ("events"."token", '0x0000000000000000000000000000000000000000', '0x286ae09cf3f6cbddd7c4dded65883189a73dbffd') and "events"."anchor_wallet" <> "events"."operator_wallet"),
	CONSTRAINT "events_content" CHECK (("events"."content" is null) = ("events"."content_sha256" is null) and "events"."content_sha256" ~ '^0x[0-9a-f]{64}$'),
	CONSTRAINT "events_min" CHECK ("events"."min_tickets" between 1 and 10000000),
	CONSTRAINT "events_sold" CHECK ("events"."tickets_sold" >= 0),
	CONSTRAINT "events_dates" CHECK (("events"."draw_date" is null) = ("events"."sale_end" is null) or "events"."stopped_at" is not null),
	CONSTRAINT "events_frozen" CHECK (("events"."frozen_at" is null) = ("events"."ledger_sha256" is null) and ("events"."frozen_at" is null) = ("events"."ledger_lines" is null)
        and ("events"."terms" is null or "events"."frozen_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "house" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"schema_major" integer DEFAULT 1 NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL,
	"book" text,
	"shut_since" timestamp with time zone,
	CONSTRAINT "house_one" CHECK ("house"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "operator_wallets" (
	"address" text PRIMARY KEY NOT NULL,
	"stolen_from" timestamp with time zone,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"books_read_at" timestamp with time zone,
	CONSTRAINT "operator_wallets_address" CHECK ("operator_wallets"."address" not in ('0x0000000000000000000000000000000000000000', '0x286ae09cf3f6cbddd7c4dded65883189a73dbffd'))
);
--> statement-breakpoint
CREATE TABLE "terms_versions" (
	"event_number" integer NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"line" text NOT NULL,
	"row" jsonb NOT NULL,
	CONSTRAINT "terms_versions_event_number_since_pk" PRIMARY KEY("event_number","since")
);
--> statement-breakpoint
CREATE TABLE "wallet_proofs" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"wallet" text NOT NULL,
	"digest" text NOT NULL,
	"signature" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"is_good" boolean,
	"asked_by" text
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
CREATE TABLE "settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"require_otp" boolean DEFAULT false NOT NULL,
	"allowed_ips" text[] DEFAULT '{}'::text[] NOT NULL,
	"min_age" integer,
	"require_acceptance" boolean DEFAULT false NOT NULL,
	"terms_sha256" text,
	"privacy_sha256" text,
	"closed_countries" text[] DEFAULT '{}' NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"branding" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"next_event" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"draw_date" timestamp with time zone,
	"min_tickets" integer,
	"auto_draw" boolean,
	"claim_days" integer,
	"entropy" text,
	"draft_saved_at" timestamp with time zone,
	"draft_revision" integer DEFAULT 1 NOT NULL,
	"content" jsonb,
	"content_revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "settings_one" CHECK ("settings"."id" = 1),
	CONSTRAINT "settings_draft" CHECK ("settings"."min_tickets" between 1 and 10000000 and "settings"."claim_days" between 7 and 90
        and "settings"."entropy" in ('blocks', 'blocks+drand')),
	CONSTRAINT "settings_age" CHECK ("settings"."min_age" between 14 and 30),
	CONSTRAINT "settings_acceptance" CHECK ("settings"."terms_sha256" is not null or not "settings"."require_acceptance")
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "channels_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"language" text NOT NULL,
	"settings" jsonb NOT NULL,
	"secret" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone,
	CONSTRAINT "channels_values" CHECK ("channels"."kind" in ('webhook', 'email') and "channels"."language" in ('ko', 'en'))
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"notification_id" bigint NOT NULL,
	"channel_id" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"tried_at" timestamp with time zone,
	"problem" text,
	CONSTRAINT "deliveries_once" UNIQUE("notification_id","channel_id"),
	CONSTRAINT "deliveries_state" CHECK ("deliveries"."state" in ('waiting', 'sent', 'given_up') and ("deliveries"."state" = 'sent') = ("deliveries"."tried_at" is not null and "deliveries"."problem" is null))
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
CREATE TABLE "claims" (
	"transaction_hash" text PRIMARY KEY NOT NULL,
	"wallet_address" text,
	"quantity" bigint,
	"amount" bigint,
	"door" text DEFAULT 'site' NOT NULL,
	"client_address" text,
	"status" text DEFAULT 'received' NOT NULL,
	"reason" text,
	"seen" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"accepted" jsonb,
	"manual_answered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "claims_hash" CHECK ("claims"."transaction_hash" ~ '^0x[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"height" bigint NOT NULL,
	"hash" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"newest_block_time" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cursors_name" CHECK ("cursors"."name" in ('payments', 'outgoing'))
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"transaction_hash" text NOT NULL,
	"payer" text NOT NULL,
	"wallet" text NOT NULL,
	"event_number" integer,
	"token" text NOT NULL,
	"units" numeric(78, 0) NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"transaction_index" integer NOT NULL,
	"first_log_index" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"ticket_number" integer,
	"ticket_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lost_at" timestamp with time zone,
	"found_at" timestamp with time zone,
	CONSTRAINT "payments_once" UNIQUE("transaction_hash","payer","wallet"),
	CONSTRAINT "payments_ticket" UNIQUE("event_number","ticket_number"),
	CONSTRAINT "payments_units" CHECK ("payments"."units" > 0),
	CONSTRAINT "payments_reason" CHECK ("payments"."reason" in ('late', 'early', 'underpaid', 'reverted', 'no_transfer', 'wrong_token', 'old_wallet', 'held', 'full', 'missed')),
	CONSTRAINT "payments_tickets" CHECK ("payments"."ticket_number" + "payments"."ticket_count" <= 2000000001),
	CONSTRAINT "payments_state" CHECK (("payments"."status" = 'credited' and "payments"."reason" is null and "payments"."ticket_number" >= 1 and "payments"."ticket_count" >= 1 and "payments"."event_number" is not null)
        or ("payments"."status" = 'rejected' and "payments"."reason" is not null and "payments"."ticket_number" is null and "payments"."ticket_count" = 0))
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"name" text PRIMARY KEY NOT NULL,
	"state" text,
	"since" timestamp with time zone,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reports_state" CHECK (case "reports"."name"
        when 'nodes' then "reports"."state" is not null and "reports"."state" in ('answering', 'waiting', 'paused')
          and ("reports"."state" = 'answering') = ("reports"."since" is null)
        when 'solvency' then "reports"."state" is not null and "reports"."state" in ('covered', 'short', 'unknown') and "reports"."since" is not null
          and ("reports"."state" = 'unknown' or num_nonnulls("reports"."facts" ->> 'held', "reports"."facts" ->> 'required') = 2)
        else "reports"."state" is null end)
);
--> statement-breakpoint
CREATE TABLE "outgoing_transfers" (
	"transaction_hash" text NOT NULL,
	"wallet" text NOT NULL,
	"recipient" text NOT NULL,
	"token" text NOT NULL,
	"units" numeric(78, 0) NOT NULL,
	"total" numeric(78, 0),
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"transaction_index" integer NOT NULL,
	"first_log_index" integer NOT NULL,
	CONSTRAINT "outgoing_transfers_units" CHECK ("outgoing_transfers"."units" > 0 or "outgoing_transfers"."total" is not null)
);
--> statement-breakpoint
CREATE TABLE "payer_codes" (
	"payer" text PRIMARY KEY NOT NULL,
	"is_contract" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refund_decisions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"payer" text NOT NULL,
	"decision" text NOT NULL,
	"holds" text[] DEFAULT '{}' NOT NULL,
	"note" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refund_decisions_kind" CHECK ("refund_decisions"."decision" in ('hold', 'release'))
);
--> statement-breakpoint
CREATE TABLE "refund_reports" (
	"transaction_hash" text PRIMARY KEY NOT NULL,
	"payers" text[] DEFAULT '{}' NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"final_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "transfer_marks" (
	"transaction_hash" text NOT NULL,
	"wallet" text NOT NULL,
	"recipient" text NOT NULL,
	"marked_as" text NOT NULL,
	"event_number" integer,
	"place" integer,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transfer_marks_as" CHECK ("transfer_marks"."marked_as" in ('refund', 'prize', 'none', 'own')),
	CONSTRAINT "transfer_marks_prize" CHECK (("transfer_marks"."marked_as" = 'prize') = ("transfer_marks"."event_number" is not null) and ("transfer_marks"."event_number" is null) = ("transfer_marks"."place" is null))
);
--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "anchor_sends" ADD CONSTRAINT "anchor_sends_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draws" ADD CONSTRAINT "draws_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draws" ADD CONSTRAINT "draws_winning_payment_payments_id_fk" FOREIGN KEY ("winning_payment") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prize_acts" ADD CONSTRAINT "prize_acts_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "changes" ADD CONSTRAINT "changes_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "endings" ADD CONSTRAINT "endings_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terms_versions" ADD CONSTRAINT "terms_versions_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_terms_sha256_legal_texts_sha256_fk" FOREIGN KEY ("terms_sha256") REFERENCES "public"."legal_texts"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_privacy_sha256_legal_texts_sha256_fk" FOREIGN KEY ("privacy_sha256") REFERENCES "public"."legal_texts"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notifications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "admins_username" ON "admins" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "audit_action" ON "audit" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "passkey_challenges_created" ON "passkey_challenges" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "passkeys_admin" ON "passkeys" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX "sessions_admin" ON "sessions" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX "sessions_created" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "anchors_event" ON "anchors" USING btree ("event_number","block_number","log_index");--> statement-breakpoint
CREATE INDEX "prize_acts_event" ON "prize_acts" USING btree ("event_number","place","id");--> statement-breakpoint
CREATE INDEX "changes_of_event" ON "changes" USING btree ("event_number","id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_one_open" ON "events" USING btree (("archived_at" is null)) WHERE "events"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "wallet_proofs_open" ON "wallet_proofs" USING btree ("id") WHERE "wallet_proofs"."answered_at" is null;--> statement-breakpoint
CREATE INDEX "deliveries_waiting" ON "deliveries" USING btree ("id") WHERE "deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "claims_due" ON "claims" USING btree ("next_attempt_at") WHERE "claims"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "claims_unresolved" ON "claims" USING btree ("client_address" text_pattern_ops) WHERE "claims"."client_address" is not null;--> statement-breakpoint
CREATE INDEX "claims_given_up" ON "claims" USING btree ("created_at") WHERE "claims"."status" = 'not_found';--> statement-breakpoint
CREATE INDEX "payments_block" ON "payments" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "payments_holders" ON "payments" USING btree ("payer","token","event_number","ticket_count","units");--> statement-breakpoint
CREATE INDEX "payments_leftovers" ON "payments" USING btree ("payer","token","event_number","units") WHERE "payments"."ticket_number" is null and "payments"."reason" not in ('early', 'held');--> statement-breakpoint
CREATE INDEX "payments_lost" ON "payments" USING btree ("event_number") WHERE "payments"."lost_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "outgoing_transfers_once" ON "outgoing_transfers" USING btree ("transaction_hash","wallet","recipient","token",("total" is null));--> statement-breakpoint
CREATE INDEX "outgoing_transfers_paid" ON "outgoing_transfers" USING btree ("recipient","token","total") WHERE "outgoing_transfers"."total" is not null;--> statement-breakpoint
CREATE INDEX "outgoing_transfers_plain" ON "outgoing_transfers" USING btree ("recipient") WHERE "outgoing_transfers"."total" is null;--> statement-breakpoint
CREATE INDEX "outgoing_transfers_block" ON "outgoing_transfers" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "refund_decisions_payer" ON "refund_decisions" USING btree ("payer","id");--> statement-breakpoint
CREATE UNIQUE INDEX "transfer_marks_once" ON "transfer_marks" USING btree ("transaction_hash","wallet","recipient",("marked_as" = 'own'));