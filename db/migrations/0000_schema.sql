CREATE TABLE "admins" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admins_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"password_hash" text NOT NULL,
	"otp_secret" "bytea",
	"otp_pending_secret" "bytea",
	"otp_pending_since" timestamp with time zone,
	"otp_confirmed_at" timestamp with time zone,
	"otp_last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "login_failures" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"client_address" text NOT NULL,
	"admin_id" integer,
	"account" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"admin_id" integer NOT NULL,
	"code_hash" text NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_codes_admin_id_code_hash_pk" PRIMARY KEY("admin_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"admin_id" integer NOT NULL,
	"client_address" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"fresh_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"require_otp" boolean DEFAULT false NOT NULL,
	"allowed_ips" text[] DEFAULT '{}'::text[] NOT NULL,
	CONSTRAINT "settings_one" CHECK ("settings"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"key" text PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"size" integer NOT NULL,
	"admin_id" integer NOT NULL,
	"client_address" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
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
CREATE TABLE "beacon_rounds" (
	"event_number" integer PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"chain_hash" text NOT NULL,
	"round" bigint NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"after" jsonb NOT NULL,
	"noted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "beacons" (
	"chain_hash" text NOT NULL,
	"round" bigint NOT NULL,
	"signature" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"source" text NOT NULL,
	CONSTRAINT "beacons_chain_hash_round_pk" PRIMARY KEY("chain_hash","round")
);
--> statement-breakpoint
CREATE TABLE "draw_blocks" (
	"event_number" integer PRIMARY KEY NOT NULL,
	"blocks" jsonb NOT NULL,
	"block_seed" text NOT NULL,
	"noted_at" timestamp with time zone DEFAULT now() NOT NULL
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
	CONSTRAINT "draws_winning" CHECK ("draws"."winning_ticket" between 1 and "draws"."tickets_sold")
);
--> statement-breakpoint
CREATE TABLE "worker_requests" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"event_number" integer NOT NULL,
	"transaction_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"code" text,
	"message" text
);
--> statement-breakpoint
CREATE TABLE "would_have_won" (
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
	"payer" text NOT NULL,
	"transaction_hash" text NOT NULL,
	"noted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "would_have_won_ticket" CHECK ("would_have_won"."winning_ticket" between 1 and "would_have_won"."tickets_sold")
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
CREATE TABLE "event_settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"prize_image_url" text,
	"prize_value" text,
	"prize_description" text,
	"event_start_date" timestamp with time zone,
	"is_active" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone,
	CONSTRAINT "event_settings_one" CHECK ("event_settings"."id" = 1)
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
	"first_draw_date" timestamp with time zone,
	"auto_draw" boolean DEFAULT true NOT NULL,
	"entropy" text DEFAULT 'blocks' NOT NULL,
	"winners" integer DEFAULT 1 NOT NULL,
	"claim_days" integer DEFAULT 30 NOT NULL,
	"max_tickets" integer,
	"max_per_wallet" integer,
	"anchor_wallet" text,
	"content_sha256" text,
	"drafted" text[] DEFAULT '{}' NOT NULL,
	"terms" text,
	"terms_sha256" text,
	"google_form_url" text,
	"tickets_sold" integer DEFAULT 0 NOT NULL,
	"frozen_at" timestamp with time zone,
	"ledger_sha256" text,
	"ledger_lines" integer,
	"second_reading" boolean,
	"stopped_at" timestamp with time zone,
	"refund_mode_at" timestamp with time zone,
	"refund_notice" boolean DEFAULT false NOT NULL,
	"halted_at" timestamp with time zone,
	"winner_cleared_at" timestamp with time zone,
	"redrawn_at" timestamp with time zone,
	"wallet_proven_at" timestamp with time zone,
	"archived_at" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "events_terms" CHECK ("events"."ticket_price" > 0 and "events"."sale_lead_seconds" >= 10),
	CONSTRAINT "events_promises" CHECK ("events"."entropy" in ('blocks', 'blocks+drand') and "events"."winners" between 1 and 20 and "events"."claim_days" between 7 and 90
        and "events"."max_tickets" > 0 and "events"."max_per_wallet" > 0),
	CONSTRAINT "events_wallet" CHECK ("events"."operator_wallet" not in ("events"."token", '0x0000000000000000000000000000000000000000', '0x0459f0b939a2e5533b48d816631b2c3deb55ba59')
        and "events"."anchor_wallet" not in ("events"."token", '0x0000000000000000000000000000000000000000', '0x0459f0b939a2e5533b48d816631b2c3deb55ba59') and "events"."anchor_wallet" <> "events"."operator_wallet"),
	CONSTRAINT "events_min" CHECK ("events"."min_tickets" between 1 and 10000000),
	CONSTRAINT "events_sold" CHECK ("events"."tickets_sold" >= 0),
	CONSTRAINT "events_dates" CHECK (("events"."draw_date" is null) = ("events"."sale_end" is null) or "events"."stopped_at" is not null),
	CONSTRAINT "events_frozen" CHECK (("events"."frozen_at" is null) = ("events"."ledger_sha256" is null) and ("events"."frozen_at" is null) = ("events"."ledger_lines" is null)
        and ("events"."terms" is null) = ("events"."terms_sha256" is null) and ("events"."terms" is null or "events"."frozen_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "operator_wallets" (
	"address" text PRIMARY KEY NOT NULL,
	"role" text DEFAULT 'sale' NOT NULL,
	"register_only" boolean DEFAULT false NOT NULL,
	"lost_at" timestamp with time zone,
	"unheard_until" timestamp with time zone,
	"delegated" boolean DEFAULT false NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"own_since" timestamp with time zone,
	"proven_since" timestamp with time zone,
	CONSTRAINT "operator_wallets_address" CHECK ("operator_wallets"."address" not in ('0x0000000000000000000000000000000000000000', '0x0459f0b939a2e5533b48d816631b2c3deb55ba59'))
);
--> statement-breakpoint
CREATE TABLE "outcomes" (
	"event_number" integer PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"reason" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outcomes_reason" CHECK (("outcomes"."kind" = 'refund') = ("outcomes"."reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "public_version" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "public_version_one" CHECK ("public_version"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "schema_major" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"major" integer NOT NULL,
	CONSTRAINT "schema_major_one" CHECK ("schema_major"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "terms_draft" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"draw_date" timestamp with time zone,
	"min_tickets" integer,
	"auto_draw" boolean,
	"claim_days" integer,
	"entropy" text,
	"winners" integer,
	"max_tickets" integer,
	"max_per_wallet" integer,
	"saved_at" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "terms_draft_one" CHECK ("terms_draft"."id" = 1),
	CONSTRAINT "terms_draft_values" CHECK ("terms_draft"."min_tickets" between 1 and 10000000 and "terms_draft"."claim_days" between 7 and 90
        and "terms_draft"."entropy" in ('blocks', 'blocks+drand') and "terms_draft"."winners" between 1 and 20),
	CONSTRAINT "terms_draft_kept" CHECK ("terms_draft"."max_tickets" is null and "terms_draft"."max_per_wallet" is null)
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
	"is_good" boolean
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
	"manual_answered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "claims_hash" CHECK ("claims"."transaction_hash" ~ '^0x[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "node_watch" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"agreed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"waiting_since" timestamp with time zone,
	"paused_at" timestamp with time zone,
	CONSTRAINT "node_watch_one" CHECK ("node_watch"."id" = 1),
	CONSTRAINT "node_watch_paused" CHECK ("node_watch"."paused_at" is null or "node_watch"."waiting_since" is not null)
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"transaction_hash" text NOT NULL,
	"payer" text NOT NULL,
	"wallet" text NOT NULL,
	"event_number" integer,
	"token" text,
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
	CONSTRAINT "payments_once" UNIQUE("transaction_hash","payer","wallet"),
	CONSTRAINT "payments_ticket" UNIQUE("event_number","ticket_number"),
	CONSTRAINT "payments_units" CHECK ("payments"."units" > 0),
	CONSTRAINT "payments_reason" CHECK ("payments"."reason" in ('late', 'early', 'underpaid', 'reverted', 'no_transfer', 'wrong_token', 'old_wallet', 'held', 'missed')),
	CONSTRAINT "payments_tickets" CHECK ("payments"."ticket_number" + "payments"."ticket_count" <= 2000000001),
	CONSTRAINT "payments_state" CHECK (("payments"."status" = 'credited' and "payments"."reason" is null and "payments"."ticket_number" >= 1 and "payments"."ticket_count" >= 1 and "payments"."event_number" is not null)
        or ("payments"."status" = 'rejected' and "payments"."reason" is not null and "payments"."ticket_number" is null and "payments"."ticket_count" = 0))
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"name" text PRIMARY KEY NOT NULL,
	"facts" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scan_cursor" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"height" bigint NOT NULL,
	"hash" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"newest_block_time" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scan_cursor_one" CHECK ("scan_cursor"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "second_reading" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"event_number" integer NOT NULL,
	"height" bigint NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"failed_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "second_reading_one" CHECK ("second_reading"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "voided_payments" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"transaction_hash" text NOT NULL,
	"payer" text NOT NULL,
	"wallet" text NOT NULL,
	"event_number" integer,
	"token" text,
	"units" numeric(78, 0) NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"ticket_number" integer,
	"ticket_count" integer NOT NULL,
	"refund_row_id" bigint,
	"voided_at" timestamp with time zone DEFAULT now() NOT NULL,
	"why" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_transfers" (
	"transaction_hash" text NOT NULL,
	"log_position" integer NOT NULL,
	"token" text NOT NULL,
	"wallet" text NOT NULL,
	"recipient" text NOT NULL,
	"units" numeric(78, 0) NOT NULL,
	"debtor" text,
	"block_number" bigint NOT NULL,
	"block_hash" text,
	"block_time" timestamp with time zone NOT NULL,
	"row_id" bigint,
	"order_block" bigint,
	"is_gone" boolean DEFAULT false NOT NULL,
	"not_refund" boolean DEFAULT false NOT NULL,
	CONSTRAINT "operator_transfers_transaction_hash_log_position_pk" PRIMARY KEY("transaction_hash","log_position")
);
--> statement-breakpoint
CREATE TABLE "refund_backlogs" (
	"wallet" text NOT NULL,
	"token" text NOT NULL,
	"unread_from" bigint,
	"unread_to" bigint,
	CONSTRAINT "refund_backlogs_wallet_token_pk" PRIMARY KEY("wallet","token")
);
--> statement-breakpoint
CREATE TABLE "refund_batches" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"event_number" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refund_progress" (
	"event_number" integer PRIMARY KEY NOT NULL,
	"days" integer NOT NULL,
	"paid" integer NOT NULL,
	"open" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refund_readdresses" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"row_id" bigint NOT NULL,
	"recipient" text NOT NULL,
	"signature" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"named_at" bigint,
	"proof" text
);
--> statement-breakpoint
CREATE TABLE "refund_row_payments" (
	"row_id" bigint NOT NULL,
	"payment_id" bigint NOT NULL,
	"is_live" boolean DEFAULT true NOT NULL,
	"paid_by" text,
	CONSTRAINT "refund_row_payments_row_id_payment_id_pk" PRIMARY KEY("row_id","payment_id")
);
--> statement-breakpoint
CREATE TABLE "refund_rows" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"batch_id" bigint NOT NULL,
	"payer" text NOT NULL,
	"recipient" text NOT NULL,
	"units" numeric(78, 0) NOT NULL,
	"state" text DEFAULT 'planned' NOT NULL,
	"reason" text,
	"hold" text,
	"released_at" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"offered_nonce" bigint,
	"nonce_bound" bigint,
	"offered_wallet" text,
	"offered_units" numeric(78, 0),
	"offered_transactions" integer,
	"offered_at" timestamp with time zone,
	"offered_path" text,
	"offered_total" numeric(78, 0),
	"valid_until" timestamp with time zone,
	"offered_calls" integer,
	"offered_block" bigint,
	"relayed" boolean DEFAULT false NOT NULL,
	"transaction_hash" text,
	"transaction_nonce" bigint,
	"bundle" text,
	"lost_at" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "refund_rows_payer" UNIQUE("batch_id","payer"),
	CONSTRAINT "refund_rows_units" CHECK ("refund_rows"."units" >= 0),
	CONSTRAINT "refund_rows_state" CHECK ("refund_rows"."state" in ('planned', 'offered', 'sent', 'settled', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "refund_watch" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"height" bigint NOT NULL,
	"hash" text NOT NULL,
	"checked_at" timestamp with time zone,
	"nonces" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "refund_watch_one" CHECK ("refund_watch"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "register_entries" (
	"transaction_hash" text NOT NULL,
	"log_position" integer NOT NULL,
	"kind" text NOT NULL,
	"wallet" text NOT NULL,
	"token" text NOT NULL,
	"debtor" text NOT NULL,
	"payee" text,
	"units" numeric(78, 0) NOT NULL,
	"total" numeric(78, 0) NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "register_entries_transaction_hash_log_position_pk" PRIMARY KEY("transaction_hash","log_position"),
	CONSTRAINT "register_entries_kind" CHECK (("register_entries"."kind" = 'paid') = ("register_entries"."payee" is not null))
);
--> statement-breakpoint
ALTER TABLE "login_failures" ADD CONSTRAINT "login_failures_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "anchor_sends" ADD CONSTRAINT "anchor_sends_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "anchors" ADD CONSTRAINT "anchors_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "beacon_rounds" ADD CONSTRAINT "beacon_rounds_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draw_blocks" ADD CONSTRAINT "draw_blocks_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draws" ADD CONSTRAINT "draws_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draws" ADD CONSTRAINT "draws_winning_payment_payments_id_fk" FOREIGN KEY ("winning_payment") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "worker_requests" ADD CONSTRAINT "worker_requests_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "would_have_won" ADD CONSTRAINT "would_have_won_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "changes" ADD CONSTRAINT "changes_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operator_transfers" ADD CONSTRAINT "operator_transfers_row_id_refund_rows_id_fk" FOREIGN KEY ("row_id") REFERENCES "public"."refund_rows"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_batches" ADD CONSTRAINT "refund_batches_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_progress" ADD CONSTRAINT "refund_progress_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_readdresses" ADD CONSTRAINT "refund_readdresses_row_id_refund_rows_id_fk" FOREIGN KEY ("row_id") REFERENCES "public"."refund_rows"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_row_payments" ADD CONSTRAINT "refund_row_payments_row_id_refund_rows_id_fk" FOREIGN KEY ("row_id") REFERENCES "public"."refund_rows"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_row_payments" ADD CONSTRAINT "refund_row_payments_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_rows" ADD CONSTRAINT "refund_rows_batch_id_refund_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."refund_batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "admins_username" ON "admins" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "login_failures_address" ON "login_failures" USING btree ("client_address","at");--> statement-breakpoint
CREATE INDEX "login_failures_account" ON "login_failures" USING btree ("account","at");--> statement-breakpoint
CREATE INDEX "login_failures_at" ON "login_failures" USING btree ("at");--> statement-breakpoint
CREATE INDEX "sessions_admin" ON "sessions" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX "sessions_created" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "anchors_event" ON "anchors" USING btree ("event_number","block_number","log_index");--> statement-breakpoint
CREATE INDEX "worker_requests_open" ON "worker_requests" USING btree ("kind","event_number") WHERE "worker_requests"."answered_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "events_one_open" ON "events" USING btree (("archived_at" is null)) WHERE "events"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "wallet_proofs_open" ON "wallet_proofs" USING btree ("id") WHERE "wallet_proofs"."answered_at" is null;--> statement-breakpoint
CREATE INDEX "claims_due" ON "claims" USING btree ("next_attempt_at") WHERE "claims"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "claims_unresolved" ON "claims" USING btree ("client_address") WHERE "claims"."client_address" is not null;--> statement-breakpoint
CREATE INDEX "payments_block" ON "payments" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "payments_token" ON "payments" USING btree ("token") WHERE "payments"."token" is not null;--> statement-breakpoint
CREATE INDEX "payments_payer" ON "payments" USING btree ("payer","event_number");--> statement-breakpoint
CREATE INDEX "voided_payments_transaction" ON "voided_payments" USING btree ("transaction_hash");--> statement-breakpoint
CREATE INDEX "operator_transfers_recipient" ON "operator_transfers" USING btree ("recipient");--> statement-breakpoint
CREATE INDEX "operator_transfers_debtor" ON "operator_transfers" USING btree ("debtor") WHERE "operator_transfers"."debtor" is not null;--> statement-breakpoint
CREATE INDEX "operator_transfers_row" ON "operator_transfers" USING btree ("row_id");--> statement-breakpoint
CREATE INDEX "operator_transfers_block" ON "operator_transfers" USING btree ("block_number");--> statement-breakpoint
CREATE UNIQUE INDEX "refund_batches_event" ON "refund_batches" USING btree ("event_number") WHERE "refund_batches"."kind" = 'event';--> statement-breakpoint
CREATE INDEX "refund_readdresses_open" ON "refund_readdresses" USING btree ("id") WHERE "refund_readdresses"."answered_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "refund_row_payments_once" ON "refund_row_payments" USING btree ("payment_id") WHERE "refund_row_payments"."is_live";--> statement-breakpoint
CREATE INDEX "refund_rows_of_payer" ON "refund_rows" USING btree ("payer");--> statement-breakpoint
CREATE INDEX "refund_rows_of_recipient" ON "refund_rows" USING btree ("recipient");--> statement-breakpoint
CREATE INDEX "refund_rows_open" ON "refund_rows" USING btree ("offered_wallet") WHERE "refund_rows"."state" in ('offered', 'sent');--> statement-breakpoint
CREATE INDEX "refund_rows_unchecked" ON "refund_rows" USING btree ("batch_id") WHERE "refund_rows"."checked_at" is null;--> statement-breakpoint
CREATE INDEX "register_entries_debtor" ON "register_entries" USING btree ("debtor");--> statement-breakpoint
CREATE INDEX "register_entries_block" ON "register_entries" USING btree ("block_number");--> statement-breakpoint
-- What drizzle-kit does not generate: the rows that are always there, and the rules of what never changes.
INSERT INTO "event_settings" ("id") VALUES (1);--> statement-breakpoint
INSERT INTO "settings" ("id") VALUES (1);--> statement-breakpoint
INSERT INTO "public_version" ("id", "version") VALUES (1, 1);--> statement-breakpoint
INSERT INTO "node_watch" ("id") VALUES (1);--> statement-breakpoint
INSERT INTO "terms_draft" ("id") VALUES (1);--> statement-breakpoint
INSERT INTO "schema_major" ("id", "major") VALUES (1, 1);--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER draws_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "draws" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER draw_blocks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "draw_blocks" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER beacon_rounds_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "beacon_rounds" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER beacons_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "beacons" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER changes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "changes" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER voided_payments_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "voided_payments" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE FUNCTION notify_public_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <= OLD.version THEN
    RAISE EXCEPTION 'the public version may not go back' USING ERRCODE = 'restrict_violation';
  END IF;
  PERFORM pg_notify('public_version', NEW.version::text);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER public_version_notify BEFORE UPDATE ON "public_version" FOR EACH ROW EXECUTE FUNCTION notify_public_version();--> statement-breakpoint
CREATE FUNCTION keep_own_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.own_since IS NOT NULL AND NEW.own_since IS DISTINCT FROM OLD.own_since)
    OR (OLD.proven_since IS NOT NULL AND NEW.proven_since IS DISTINCT FROM OLD.proven_since) THEN
    RAISE EXCEPTION 'since when a wallet is an own one never changes' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER operator_wallets_own_since BEFORE UPDATE ON "operator_wallets" FOR EACH ROW EXECUTE FUNCTION keep_own_since();
--> statement-breakpoint
CREATE TRIGGER outcomes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "outcomes" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE FUNCTION iso_moment(moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;--> statement-breakpoint
CREATE FUNCTION had_tickets(event integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM payments WHERE event_number = event AND ticket_number IS NOT NULL)
    OR EXISTS (SELECT FROM voided_payments WHERE event_number = event AND ticket_number IS NOT NULL)
$$;--> statement-breakpoint
-- Whatever program writes the terms: frozen ones never change, and once a ticket was sold only what buyers lose nothing by.
CREATE FUNCTION guard_terms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_sold boolean := had_tickets(NEW.number);
  is_other boolean := (NEW.ticket_price, NEW.operator_wallet, NEW.chain_id, NEW.token, NEW.sale_start, NEW.sale_lead_seconds, NEW.auto_draw, NEW.entropy, NEW.winners, NEW.claim_days, NEW.max_tickets, NEW.max_per_wallet, NEW.content_sha256)
    IS DISTINCT FROM (OLD.ticket_price, OLD.operator_wallet, OLD.chain_id, OLD.token, OLD.sale_start, OLD.sale_lead_seconds, OLD.auto_draw, OLD.entropy, OLD.winners, OLD.claim_days, OLD.max_tickets, OLD.max_per_wallet, OLD.content_sha256);
  is_moved boolean := (NEW.draw_date, NEW.sale_end) IS DISTINCT FROM (OLD.draw_date, OLD.sale_end);
  -- What core/event-locks.ts allows: without a date buyers were told 180 days, of which 7 or 8 are for the draw.
  -- From the sale start while a reorg has taken the first ticket back.
  undated timestamptz := coalesce((SELECT block_time FROM payments WHERE event_number = NEW.number AND ticket_number = 1), NEW.sale_start)
    + interval '180 days' - CASE NEW.entropy WHEN 'blocks' THEN interval '7 days' ELSE interval '8 days' END;
  latest timestamptz := CASE WHEN OLD.first_draw_date IS NULL THEN undated
    WHEN OLD.first_draw_date <= undated THEN least(undated, OLD.first_draw_date + interval '30 days')
    ELSE OLD.first_draw_date + interval '30 days' END;
BEGIN
  IF OLD.frozen_at IS NOT NULL AND NEW.frozen_at IS NOT NULL AND (is_other OR is_moved OR NEW.min_tickets <> OLD.min_tickets
    OR (NEW.anchor_wallet, NEW.terms, NEW.terms_sha256, NEW.first_draw_date) IS DISTINCT FROM (OLD.anchor_wallet, OLD.terms, OLD.terms_sha256, OLD.first_draw_date)) THEN
    RAISE EXCEPTION 'the terms of event % are frozen', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  IF is_sold AND (is_other OR NEW.min_tickets > OLD.min_tickets OR NEW.first_draw_date IS DISTINCT FROM OLD.first_draw_date
    OR (is_moved AND NEW.stopped_at IS NULL
      AND (NEW.draw_date IS NULL OR NEW.draw_date IS NOT DISTINCT FROM OLD.draw_date OR NEW.draw_date > latest))) THEN
    RAISE EXCEPTION 'the terms of event % are locked since its first ticket', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.draw_date IS DISTINCT FROM OLD.draw_date AND (OLD.first_draw_date IS NULL OR NOT is_sold) THEN
    NEW.first_draw_date := NEW.draw_date;
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER events_guard_terms BEFORE UPDATE OF ticket_price, sale_lead_seconds, operator_wallet, chain_id, token, sale_start, sale_end, draw_date, first_draw_date, min_tickets, auto_draw, entropy, winners, claim_days, max_tickets, max_per_wallet, anchor_wallet, content_sha256, terms, terms_sha256 ON "events" FOR EACH ROW EXECUTE FUNCTION guard_terms();--> statement-breakpoint
CREATE FUNCTION list_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (event_number, field, "from", "to")
  SELECT NEW.number, term.field, term.before, term.after
  FROM (VALUES
    (1, 'saleStart', iso_moment(OLD.sale_start), iso_moment(NEW.sale_start)),
    (2, 'drawDate', iso_moment(OLD.draw_date), iso_moment(NEW.draw_date)),
    (3, 'saleEndDate', iso_moment(OLD.sale_end), iso_moment(NEW.sale_end)),
    (4, 'minTicketsForDraw', OLD.min_tickets::text, NEW.min_tickets::text),
    (5, 'operatorWallet', OLD.operator_wallet, NEW.operator_wallet),
    (6, 'anchorWallet', OLD.anchor_wallet, NEW.anchor_wallet),
    (7, 'ticketPrice', trim_scale(OLD.ticket_price * 0.000000000000000001)::text, trim_scale(NEW.ticket_price * 0.000000000000000001)::text),
    (8, 'saleLeadSeconds', OLD.sale_lead_seconds::text, NEW.sale_lead_seconds::text),
    (9, 'chainId', OLD.chain_id::text, NEW.chain_id::text),
    (10, 'token', OLD.token, NEW.token),
    (11, 'autoDraw', CASE WHEN OLD.auto_draw THEN 'on' ELSE 'off' END, CASE WHEN NEW.auto_draw THEN 'on' ELSE 'off' END),
    (12, 'entropy', OLD.entropy, NEW.entropy),
    (13, 'winners', OLD.winners::text, NEW.winners::text),
    (14, 'claimDays', OLD.claim_days::text, NEW.claim_days::text),
    (15, 'maxTickets', OLD.max_tickets::text, NEW.max_tickets::text),
    (16, 'maxPerWallet', OLD.max_per_wallet::text, NEW.max_per_wallet::text),
    (17, 'content', OLD.content_sha256, NEW.content_sha256)
  ) AS term(place, field, before, after)
  WHERE term.before IS DISTINCT FROM term.after
  ORDER BY term.place;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER events_list_terms AFTER UPDATE OF ticket_price, sale_lead_seconds, operator_wallet, chain_id, token, sale_start, sale_end, draw_date, min_tickets, auto_draw, entropy, winners, claim_days, max_tickets, max_per_wallet, anchor_wallet, content_sha256 ON "events" FOR EACH ROW EXECUTE FUNCTION list_terms();--> statement-breakpoint
CREATE FUNCTION keep_paid_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payments SET token = OLD.token WHERE event_number = NEW.number AND token IS NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER events_keep_paid_token AFTER UPDATE OF token ON "events" FOR EACH ROW WHEN (NEW.token <> OLD.token) EXECUTE FUNCTION keep_paid_token();--> statement-breakpoint
CREATE TRIGGER would_have_won_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "would_have_won" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE FUNCTION keep_anchors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' OR EXISTS (SELECT FROM draws WHERE event_number = coalesce(NEW.event_number, OLD.event_number)) THEN
    RAISE EXCEPTION 'the anchors of an event are kept as they are' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;--> statement-breakpoint
CREATE TRIGGER anchors_keep BEFORE INSERT OR UPDATE OR DELETE ON "anchors" FOR EACH ROW EXECUTE FUNCTION keep_anchors();--> statement-breakpoint
CREATE TRIGGER anchor_sends_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "anchor_sends" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
