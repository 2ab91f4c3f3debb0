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
	"language" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_only" boolean DEFAULT false NOT NULL,
	"disabled_at" timestamp with time zone,
	CONSTRAINT "admins_language" CHECK ("admins"."language" in ('ko', 'en'))
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
	CONSTRAINT "beacons_chain_hash_round_signature_pk" PRIMARY KEY("chain_hash","round","signature")
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
CREATE TABLE "content_draft" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"content_id" bigint,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "content_draft_one" CHECK ("content_draft"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "contents" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_number" integer NOT NULL,
	"content" jsonb NOT NULL,
	"content_sha256" text NOT NULL,
	"saved_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"saved_by" text,
	CONSTRAINT "contents_sha256" CHECK ("contents"."content_sha256" ~ '^0x[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "corrections" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_number" integer NOT NULL,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"en" text NOT NULL,
	"ko" text NOT NULL,
	"added_by" text NOT NULL
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
	"turns_from" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "draws_winning" CHECK ("draws"."winning_ticket" between 1 and "draws"."tickets_sold")
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
	"auto_draw" boolean DEFAULT true NOT NULL,
	"entropy" text DEFAULT 'blocks' NOT NULL,
	"winners" integer DEFAULT 1 NOT NULL,
	"prizes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"claim_days" integer DEFAULT 30 NOT NULL,
	"anchor_wallet" text,
	"content_sha256" text,
	"content_id" bigint,
	"drafted" text[] DEFAULT '{}' NOT NULL,
	"terms" text,
	"terms_sha256" text,
	"locked_at" timestamp with time zone,
	"google_form_url" text,
	"tickets_sold" integer DEFAULT 0 NOT NULL,
	"frozen_at" timestamp with time zone,
	"ledger_sha256" text,
	"ledger_lines" integer,
	"second_reading" boolean,
	"stopped_at" timestamp with time zone,
	"refund_notice" boolean DEFAULT false NOT NULL,
	"halted_at" timestamp with time zone,
	"winner_cleared_at" timestamp with time zone,
	"redrawn_at" timestamp with time zone,
	"wallet_proven_at" timestamp with time zone,
	"archived_at" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "events_terms" CHECK ("events"."ticket_price" > 0 and "events"."sale_lead_seconds" >= 10),
	CONSTRAINT "events_promises" CHECK ("events"."entropy" in ('blocks', 'blocks+drand') and "events"."winners" between 1 and 20 and "events"."claim_days" between 7 and 90),
	CONSTRAINT "events_wallet" CHECK ("events"."operator_wallet" not in ("events"."token", '0x0000000000000000000000000000000000000000', '0x286ae09cf3f6cbddd7c4dded65883189a73dbffd')
        and "events"."anchor_wallet" not in ("events"."token", '0x0000000000000000000000000000000000000000', '0x286ae09cf3f6cbddd7c4dded65883189a73dbffd') and "events"."anchor_wallet" <> "events"."operator_wallet"),
	CONSTRAINT "events_content" CHECK (("events"."content_id" is null) = ("events"."content_sha256" is null)),
	CONSTRAINT "events_min" CHECK ("events"."min_tickets" between 1 and 10000000),
	CONSTRAINT "events_sold" CHECK ("events"."tickets_sold" >= 0),
	CONSTRAINT "events_dates" CHECK (("events"."draw_date" is null) = ("events"."sale_end" is null) or "events"."stopped_at" is not null),
	CONSTRAINT "events_frozen" CHECK (("events"."frozen_at" is null) = ("events"."ledger_sha256" is null) and ("events"."frozen_at" is null) = ("events"."ledger_lines" is null)
        and ("events"."terms" is null) = ("events"."terms_sha256" is null) and ("events"."terms" is null or "events"."frozen_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "house_book" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"book" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "house_book_one" CHECK ("house_book"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "house_rules" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"min_age" integer,
	"require_acceptance" boolean DEFAULT false NOT NULL,
	"terms_sha256" text,
	"privacy_sha256" text,
	"closed_countries" text[] DEFAULT '{}' NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "house_rules_one" CHECK ("house_rules"."id" = 1),
	CONSTRAINT "house_rules_age" CHECK ("house_rules"."min_age" between 14 and 30),
	CONSTRAINT "house_rules_acceptance" CHECK ("house_rules"."terms_sha256" is not null or not "house_rules"."require_acceptance")
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
CREATE TABLE "node_watch" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"agreed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"waiting_since" timestamp with time zone,
	"paused_at" timestamp with time zone,
	CONSTRAINT "node_watch_one" CHECK ("node_watch"."id" = 1),
	CONSTRAINT "node_watch_paused" CHECK ("node_watch"."paused_at" is null or "node_watch"."waiting_since" is not null)
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
CREATE TABLE "operator_wallets" (
	"address" text PRIMARY KEY NOT NULL,
	"stolen_from" timestamp with time zone,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"books_read_at" timestamp with time zone,
	CONSTRAINT "operator_wallets_address" CHECK ("operator_wallets"."address" not in ('0x0000000000000000000000000000000000000000', '0x286ae09cf3f6cbddd7c4dded65883189a73dbffd'))
);
--> statement-breakpoint
CREATE TABLE "outgoing_cursor" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"height" bigint NOT NULL,
	"hash" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outgoing_cursor_one" CHECK ("outgoing_cursor"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "outgoing_transfers" (
	"transaction_hash" text NOT NULL,
	"wallet" text NOT NULL,
	"recipient" text NOT NULL,
	"token" text NOT NULL,
	"units" numeric(78, 0) NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"transaction_index" integer NOT NULL,
	"first_log_index" integer NOT NULL,
	CONSTRAINT "outgoing_transfers_transaction_hash_wallet_recipient_token_pk" PRIMARY KEY("transaction_hash","wallet","recipient","token"),
	CONSTRAINT "outgoing_transfers_units" CHECK ("outgoing_transfers"."units" > 0)
);
--> statement-breakpoint
CREATE TABLE "own_money" (
	"transaction_hash" text NOT NULL,
	"payer" text NOT NULL,
	"wallet" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "own_money_transaction_hash_payer_wallet_pk" PRIMARY KEY("transaction_hash","payer","wallet")
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
CREATE TABLE "payer_codes" (
	"payer" text PRIMARY KEY NOT NULL,
	"is_contract" boolean NOT NULL,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL
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
	CONSTRAINT "payments_once" UNIQUE("transaction_hash","payer","wallet"),
	CONSTRAINT "payments_ticket" UNIQUE("event_number","ticket_number"),
	CONSTRAINT "payments_units" CHECK ("payments"."units" > 0),
	CONSTRAINT "payments_reason" CHECK ("payments"."reason" in ('late', 'early', 'underpaid', 'reverted', 'no_transfer', 'wrong_token', 'old_wallet', 'held', 'full', 'missed')),
	CONSTRAINT "payments_tickets" CHECK ("payments"."ticket_number" + "payments"."ticket_count" <= 2000000001),
	CONSTRAINT "payments_state" CHECK (("payments"."status" = 'credited' and "payments"."reason" is null and "payments"."ticket_number" >= 1 and "payments"."ticket_count" >= 1 and "payments"."event_number" is not null)
        or ("payments"."status" = 'rejected' and "payments"."reason" is not null and "payments"."ticket_number" is null and "payments"."ticket_count" = 0))
);
--> statement-breakpoint
CREATE TABLE "prize_claims" (
	"nonce" text PRIMARY KEY NOT NULL,
	"event_number" integer NOT NULL,
	"place" integer NOT NULL,
	"wallet" text NOT NULL,
	"message" text NOT NULL,
	"signature" text NOT NULL,
	"proof" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prize_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_number" integer NOT NULL,
	"place" integer NOT NULL,
	"act" text NOT NULL,
	"wallet" text NOT NULL,
	"tracking" text,
	"reason" text,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "prize_events_act" CHECK ("prize_events"."act" in ('sent', 'corrected', 'delivered')),
	CONSTRAINT "prize_events_tracking" CHECK ("prize_events"."act" = 'sent' or "prize_events"."tracking" is null),
	CONSTRAINT "prize_events_reason" CHECK (("prize_events"."act" = 'corrected') = ("prize_events"."reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "public_version" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"version" bigint NOT NULL,
	"shut_since" timestamp with time zone,
	CONSTRAINT "public_version_one" CHECK ("public_version"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"admin_id" integer NOT NULL,
	"code_hash" text NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_codes_admin_id_code_hash_pk" PRIMARY KEY("admin_id","code_hash")
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
CREATE TABLE "register_payments" (
	"transaction_hash" text NOT NULL,
	"wallet" text NOT NULL,
	"debtor" text NOT NULL,
	"token" text NOT NULL,
	"units" numeric(78, 0) NOT NULL,
	"total" numeric(78, 0) NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"transaction_index" integer NOT NULL,
	"first_log_index" integer NOT NULL,
	CONSTRAINT "register_payments_transaction_hash_wallet_debtor_token_pk" PRIMARY KEY("transaction_hash","wallet","debtor","token")
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
CREATE TABLE "schema_major" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"major" integer NOT NULL,
	CONSTRAINT "schema_major_one" CHECK ("schema_major"."id" = 1)
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
CREATE TABLE "settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"require_otp" boolean DEFAULT false NOT NULL,
	"allowed_ips" text[] DEFAULT '{}'::text[] NOT NULL,
	CONSTRAINT "settings_one" CHECK ("settings"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "solvency" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"state" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"height" bigint,
	"block_time" timestamp with time zone,
	"held" numeric(78, 0),
	"required" numeric(78, 0),
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "solvency_one" CHECK ("solvency"."id" = 1),
	CONSTRAINT "solvency_state" CHECK ("solvency"."state" in ('covered', 'short', 'unknown')),
	CONSTRAINT "solvency_read" CHECK ("solvency"."state" = 'unknown' or ("solvency"."held" is not null and "solvency"."required" is not null))
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
	"prizes" jsonb,
	"saved_at" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "terms_draft_one" CHECK ("terms_draft"."id" = 1),
	CONSTRAINT "terms_draft_values" CHECK ("terms_draft"."min_tickets" between 1 and 10000000 and "terms_draft"."claim_days" between 7 and 90
        and "terms_draft"."entropy" in ('blocks', 'blocks+drand') and "terms_draft"."winners" between 1 and 20)
);
--> statement-breakpoint
CREATE TABLE "terms_versions" (
	"event_number" integer NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"line" text NOT NULL,
	"sha256" text NOT NULL,
	"row" jsonb NOT NULL,
	CONSTRAINT "terms_versions_event_number_since_pk" PRIMARY KEY("event_number","since")
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
	CONSTRAINT "transfer_marks_transaction_hash_wallet_recipient_pk" PRIMARY KEY("transaction_hash","wallet","recipient"),
	CONSTRAINT "transfer_marks_as" CHECK ("transfer_marks"."marked_as" in ('refund', 'prize', 'none')),
	CONSTRAINT "transfer_marks_prize" CHECK (("transfer_marks"."marked_as" = 'prize') = ("transfer_marks"."event_number" is not null) and ("transfer_marks"."event_number" is null) = ("transfer_marks"."place" is null))
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
CREATE TABLE "wanted_draws" (
	"event_number" integer PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "anchor_sends" ADD CONSTRAINT "anchor_sends_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "beacon_rounds" ADD CONSTRAINT "beacon_rounds_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "changes" ADD CONSTRAINT "changes_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_draft" ADD CONSTRAINT "content_draft_content_id_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."contents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_notification_id_notifications_id_fk" FOREIGN KEY ("notification_id") REFERENCES "public"."notifications"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draw_blocks" ADD CONSTRAINT "draw_blocks_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draws" ADD CONSTRAINT "draws_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draws" ADD CONSTRAINT "draws_winning_payment_payments_id_fk" FOREIGN KEY ("winning_payment") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "endings" ADD CONSTRAINT "endings_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_content_id_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."contents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "house_rules" ADD CONSTRAINT "house_rules_terms_sha256_legal_texts_sha256_fk" FOREIGN KEY ("terms_sha256") REFERENCES "public"."legal_texts"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "house_rules" ADD CONSTRAINT "house_rules_privacy_sha256_legal_texts_sha256_fk" FOREIGN KEY ("privacy_sha256") REFERENCES "public"."legal_texts"("sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prize_claims" ADD CONSTRAINT "prize_claims_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prize_events" ADD CONSTRAINT "prize_events_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "terms_versions" ADD CONSTRAINT "terms_versions_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_admin_id_admins_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."admins"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wanted_draws" ADD CONSTRAINT "wanted_draws_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "admins_username" ON "admins" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "anchors_event" ON "anchors" USING btree ("event_number","block_number","log_index");--> statement-breakpoint
CREATE INDEX "audit_action" ON "audit" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "changes_of_event" ON "changes" USING btree ("event_number","id");--> statement-breakpoint
CREATE INDEX "claims_due" ON "claims" USING btree ("next_attempt_at") WHERE "claims"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "claims_unresolved" ON "claims" USING btree ("client_address") WHERE "claims"."client_address" is not null;--> statement-breakpoint
CREATE INDEX "claims_unresolved_range" ON "claims" USING btree ("client_address" text_pattern_ops) WHERE "claims"."client_address" is not null;--> statement-breakpoint
CREATE INDEX "claims_given_up" ON "claims" USING btree ("created_at") WHERE "claims"."status" = 'not_found';--> statement-breakpoint
CREATE INDEX "contents_of_event" ON "contents" USING btree ("event_number","id");--> statement-breakpoint
CREATE INDEX "corrections_of_event" ON "corrections" USING btree ("event_number","id");--> statement-breakpoint
CREATE INDEX "deliveries_waiting" ON "deliveries" USING btree ("id") WHERE "deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "events_one_open" ON "events" USING btree (("archived_at" is null)) WHERE "events"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "outgoing_transfers_recipient" ON "outgoing_transfers" USING btree ("recipient");--> statement-breakpoint
CREATE INDEX "outgoing_transfers_block" ON "outgoing_transfers" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "passkey_challenges_created" ON "passkey_challenges" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "passkeys_admin" ON "passkeys" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX "payments_block" ON "payments" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "payments_holders" ON "payments" USING btree ("payer","token","event_number","ticket_count","units");--> statement-breakpoint
CREATE INDEX "payments_leftovers" ON "payments" USING btree ("payer","token","event_number","units") WHERE "payments"."ticket_number" is null and "payments"."reason" not in ('early', 'held');--> statement-breakpoint
CREATE INDEX "prize_claims_event" ON "prize_claims" USING btree ("event_number");--> statement-breakpoint
CREATE INDEX "prize_events_event" ON "prize_events" USING btree ("event_number","place","id");--> statement-breakpoint
CREATE INDEX "refund_decisions_payer" ON "refund_decisions" USING btree ("payer","id");--> statement-breakpoint
CREATE INDEX "register_payments_debtor" ON "register_payments" USING btree ("debtor","token","total");--> statement-breakpoint
CREATE INDEX "register_payments_block" ON "register_payments" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "sessions_admin" ON "sessions" USING btree ("admin_id");--> statement-breakpoint
CREATE INDEX "sessions_created" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "wallet_proofs_open" ON "wallet_proofs" USING btree ("id") WHERE "wallet_proofs"."answered_at" is null;--> statement-breakpoint
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
CREATE TRIGGER changes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "changes" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE FUNCTION notify_public_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <= OLD.version THEN
    RAISE EXCEPTION 'the public version may not go back' USING ERRCODE = 'restrict_violation';
  END IF;
  PERFORM pg_notify('public_version', NEW.version::text);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER public_version_notify BEFORE UPDATE ON "public_version" FOR EACH ROW EXECUTE FUNCTION notify_public_version();--> statement-breakpoint
CREATE FUNCTION keep_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.address <> OLD.address OR NEW.since > OLD.since OR (OLD.stolen_from IS NOT NULL AND coalesce(NEW.stolen_from > OLD.stolen_from, true)) THEN
    RAISE EXCEPTION 'a wallet is not made another one, and stays stolen' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER operator_wallets_keep BEFORE UPDATE ON "operator_wallets" FOR EACH ROW EXECUTE FUNCTION keep_wallet();--> statement-breakpoint
CREATE TRIGGER endings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "endings" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE FUNCTION iso_moment(moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;--> statement-breakpoint
-- After the database's clock and every block seen, in whole seconds: a change from then on concerns no block that is known.
CREATE FUNCTION next_moment() RETURNS timestamptz LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT date_trunc('second', greatest(clock_timestamp(), (SELECT greatest(block_time, newest_block_time) FROM scan_cursor))) + interval '1 second'
$$;--> statement-breakpoint
-- Whatever program writes the terms: from the first ticket, or the anchor of the terms, on they stay. A draw date that was never set is
-- set once. A sale is stopped while it is open, for good: that brings its end forward to now, and moves no draw date.
CREATE FUNCTION guard_terms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_other boolean := (NEW.ticket_price, NEW.operator_wallet, NEW.anchor_wallet, NEW.chain_id, NEW.token, NEW.sale_start, NEW.sale_lead_seconds, NEW.min_tickets, NEW.auto_draw, NEW.entropy, NEW.winners, NEW.prizes, NEW.claim_days, NEW.content_id, NEW.content_sha256)
    IS DISTINCT FROM (OLD.ticket_price, OLD.operator_wallet, OLD.anchor_wallet, OLD.chain_id, OLD.token, OLD.sale_start, OLD.sale_lead_seconds, OLD.min_tickets, OLD.auto_draw, OLD.entropy, OLD.winners, OLD.prizes, OLD.claim_days, OLD.content_id, OLD.content_sha256);
  is_moved boolean := (NEW.draw_date, NEW.sale_end) IS DISTINCT FROM (OLD.draw_date, OLD.sale_end);
  is_stop boolean := NEW.stopped_at IS DISTINCT FROM OLD.stopped_at;
  may_stop boolean := OLD.stopped_at IS NULL AND OLD.frozen_at IS NULL AND coalesce(OLD.sale_end > clock_timestamp(), true)
    AND coalesce(NEW.sale_end BETWEEN now() AND least(OLD.sale_end, next_moment()), false)
    AND (NEW.draw_date IS NULL OR NEW.draw_date IS NOT DISTINCT FROM OLD.draw_date);
  is_allowed boolean := OLD.frozen_at IS NULL AND (is_stop
    OR (OLD.stopped_at IS NULL AND OLD.draw_date IS NULL AND NEW.draw_date IS NOT NULL));
BEGIN
  IF is_stop AND NOT may_stop THEN
    RAISE EXCEPTION 'the sale of event % is stopped now or not at all', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  IF (OLD.locked_at IS NOT NULL AND NEW.locked_at IS DISTINCT FROM OLD.locked_at)
    OR ((OLD.locked_at IS NOT NULL OR OLD.frozen_at IS NOT NULL) AND (is_other OR (is_moved AND NOT is_allowed)))
    OR (OLD.terms IS NOT NULL AND NEW.frozen_at IS NOT NULL AND (NEW.terms, NEW.terms_sha256) IS DISTINCT FROM (OLD.terms, OLD.terms_sha256)) THEN
    RAISE EXCEPTION 'the terms of event % are locked', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER events_guard_terms BEFORE UPDATE OF ticket_price, sale_lead_seconds, operator_wallet, anchor_wallet, chain_id, token, sale_start, sale_end, draw_date, min_tickets, auto_draw, entropy, winners, prizes, claim_days, content_id, content_sha256, terms, terms_sha256, locked_at, stopped_at ON "events" FOR EACH ROW EXECUTE FUNCTION guard_terms();--> statement-breakpoint
-- The line that core/event/terms.ts describes; both are compared by a test.
CREATE FUNCTION terms_line(e events) RETURNS text LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT concat_ws(',', 'blockdraw-terms-2', coalesce((SELECT book FROM house_book), 'none'), e.number, e.chain_id, e.token,
    coalesce(e.operator_wallet, 'none'), coalesce(e.anchor_wallet, 'none'), e.ticket_price,
    floor(extract(epoch FROM e.sale_start)), coalesce(floor(extract(epoch FROM e.sale_end))::text, 'none'),
    coalesce(floor(extract(epoch FROM e.draw_date))::text, 'none'), e.min_tickets, e.auto_draw::text, e.entropy, e.winners, e.claim_days,
    coalesce((SELECT '0x' || encode(sha256(convert_to(string_agg(wallet || E'\n', '' ORDER BY wallet COLLATE "C"), 'UTF8')), 'hex')
      FROM (SELECT DISTINCT operator_wallet AS wallet FROM events WHERE number < e.number AND operator_wallet IS NOT NULL) former), 'none'),
    coalesce(e.content_sha256, 'none')) || E'\n'
$$;--> statement-breakpoint
CREATE FUNCTION write_terms_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  line text := terms_line(NEW);
  since timestamptz := NEW.sale_start;
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.sale_start IS NOT DISTINCT FROM OLD.sale_start THEN
    since := greatest(next_moment(), NEW.sale_start);
  END IF;
  -- What was set in the same second was never in force.
  INSERT INTO terms_versions VALUES (NEW.number, since, line, '0x' || encode(sha256(convert_to(line, 'UTF8')), 'hex'), to_jsonb(NEW))
    ON CONFLICT ON CONSTRAINT terms_versions_event_number_since_pk DO UPDATE SET line = excluded.line, sha256 = excluded.sha256, row = excluded.row;
  RETURN NULL;
END $$;--> statement-breakpoint
-- Its name comes behind events_open_book: the line names the book.
CREATE TRIGGER events_terms_added AFTER INSERT ON "events" FOR EACH ROW EXECUTE FUNCTION write_terms_version();--> statement-breakpoint
CREATE TRIGGER events_terms_changed AFTER UPDATE OF ticket_price, sale_lead_seconds, operator_wallet, anchor_wallet, chain_id, token, sale_start, sale_end, draw_date, min_tickets, auto_draw, entropy, winners, prizes, claim_days, content_id, content_sha256 ON "events" FOR EACH ROW
  WHEN ((NEW.ticket_price, NEW.sale_lead_seconds, NEW.operator_wallet, NEW.anchor_wallet, NEW.chain_id, NEW.token, NEW.sale_start, NEW.sale_end, NEW.draw_date, NEW.min_tickets, NEW.auto_draw, NEW.entropy, NEW.winners, NEW.prizes, NEW.claim_days, NEW.content_id, NEW.content_sha256)
    IS DISTINCT FROM (OLD.ticket_price, OLD.sale_lead_seconds, OLD.operator_wallet, OLD.anchor_wallet, OLD.chain_id, OLD.token, OLD.sale_start, OLD.sale_end, OLD.draw_date, OLD.min_tickets, OLD.auto_draw, OLD.entropy, OLD.winners, OLD.prizes, OLD.claim_days, OLD.content_id, OLD.content_sha256))
  EXECUTE FUNCTION write_terms_version();--> statement-breakpoint
CREATE TRIGGER terms_versions_kept BEFORE DELETE OR TRUNCATE ON "terms_versions" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- Locks the version in force at `moment`, and takes back what was set since: but for a first draw date, and a stop. Does nothing to
-- a frozen event. True if this call did it.
CREATE FUNCTION lock_terms(event integer, moment timestamptz) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  kept jsonb := (SELECT v.row FROM terms_versions v WHERE v.event_number = event AND v.since <= moment ORDER BY v.since DESC LIMIT 1);
  is_last boolean := NOT EXISTS (SELECT FROM terms_versions v WHERE v.event_number = event AND v.since > moment);
  was events;
BEGIN
  IF kept IS NULL OR is_last THEN
    UPDATE events SET locked_at = moment WHERE number = event AND locked_at IS NULL AND frozen_at IS NULL;
    RETURN FOUND;
  END IF;
  was := jsonb_populate_record(NULL::events, kept);
  UPDATE events e SET locked_at = moment, ticket_price = was.ticket_price, sale_lead_seconds = was.sale_lead_seconds,
    operator_wallet = was.operator_wallet, anchor_wallet = was.anchor_wallet, chain_id = was.chain_id, token = was.token,
    sale_start = was.sale_start, min_tickets = was.min_tickets, auto_draw = was.auto_draw, entropy = was.entropy, winners = was.winners,
    prizes = was.prizes, claim_days = was.claim_days, content_sha256 = was.content_sha256,
    content_id = CASE WHEN e.content_sha256 IS DISTINCT FROM was.content_sha256 THEN was.content_id ELSE e.content_id END,
    draw_date = CASE WHEN e.stopped_at IS NULL THEN coalesce(was.draw_date, e.draw_date) END,
    sale_end = CASE WHEN e.stopped_at IS NULL THEN coalesce(was.sale_end, e.sale_end) ELSE e.sale_end END
  WHERE number = event AND locked_at IS NULL AND frozen_at IS NULL;
  RETURN FOUND;
END $$;--> statement-breakpoint
-- A program may end the sale, and chooses no date by it.
CREATE FUNCTION stop_sale(event integer) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE events SET stopped_at = now(), sale_end = next_moment(), draw_date = NULL, revision = revision + 1
  WHERE number = event AND stopped_at IS NULL AND archived_at IS NULL
$$;--> statement-breakpoint
-- The last ticket of an event by its list; `events.tickets_sold` is for show.
CREATE FUNCTION tickets_of(event integer) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT p.ticket_number + p.ticket_count - 1 FROM payments p
    WHERE p.event_number = event AND p.ticket_number > 0 ORDER BY p.ticket_number DESC LIMIT 1), 0)
$$;--> statement-breakpoint
-- An event ends as the facts have it, whatever program says so; after a restore the owner of the tables takes the operator's word.
CREATE FUNCTION guard_ending() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  e events;
  moment timestamptz := next_moment();
  has_cause boolean;
BEGIN
  SELECT * INTO STRICT e FROM events WHERE number = NEW.event_number;
  has_cause := CASE coalesce(NEW.reason, NEW.kind)
    WHEN 'drawn' THEN EXISTS (SELECT FROM draws WHERE event_number = e.number)
    WHEN 'stopped' THEN e.stopped_at IS NOT NULL
    WHEN 'minimum' THEN e.frozen_at IS NOT NULL AND tickets_of(e.number) < e.min_tickets
    WHEN 'overdue' THEN e.draw_date IS NULL AND EXISTS (SELECT FROM payments p
      WHERE p.event_number = e.number AND p.ticket_number = 1 AND p.block_time + interval '180 days' <= moment)
    WHEN 'beacon_lost' THEN e.entropy = 'blocks+drand' AND e.draw_date + interval '7 days' <= moment
    WHEN 'ledger' THEN e.frozen_at IS NOT NULL AND clock_timestamp() < e.draw_date
  END;
  IF NOT coalesce(has_cause, false) AND NOT pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER') THEN
    RAISE EXCEPTION 'event % has no cause to end as %', e.number, coalesce(NEW.reason, NEW.kind) USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER endings_guard BEFORE INSERT ON "endings" FOR EACH ROW EXECUTE FUNCTION guard_ending();--> statement-breakpoint
CREATE FUNCTION guard_archive() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM endings WHERE event_number = NEW.number) OR (NEW.frozen_at IS NOT NULL AND tickets_of(NEW.number) = 0) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'event % is not over', NEW.number USING ERRCODE = 'restrict_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER events_guard_archive BEFORE UPDATE OF archived_at ON "events" FOR EACH ROW WHEN (NEW.archived_at IS NOT NULL) EXECUTE FUNCTION guard_archive();--> statement-breakpoint
-- Whatever program gives the first ticket.
CREATE FUNCTION lock_sold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE events e SET locked_at = sold.first
  FROM (SELECT event_number, min(block_time) AS first FROM added WHERE ticket_number IS NOT NULL GROUP BY event_number) sold
  WHERE e.number = sold.event_number AND e.locked_at IS NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER payments_lock_terms AFTER INSERT ON "payments" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION lock_sold();--> statement-breakpoint
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
    (15, 'content', OLD.content_sha256, NEW.content_sha256)
  ) AS term(place, field, before, after)
  WHERE term.before IS DISTINCT FROM term.after
  ORDER BY term.place;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER events_list_terms AFTER UPDATE OF ticket_price, sale_lead_seconds, operator_wallet, chain_id, token, sale_start, sale_end, draw_date, min_tickets, auto_draw, entropy, winners, claim_days, anchor_wallet, content_sha256 ON "events" FOR EACH ROW EXECUTE FUNCTION list_terms();--> statement-breakpoint
CREATE TRIGGER anchors_keep BEFORE UPDATE OR TRUNCATE ON "anchors" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER anchor_sends_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "anchor_sends" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- The server's log keeps a second copy, one line of JSON a row, out of reach of every login of a program.
CREATE FUNCTION log_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE LOG 'audit %', to_jsonb(NEW);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER audit_logged AFTER INSERT ON "audit" FOR EACH ROW EXECUTE FUNCTION log_audit();--> statement-breakpoint
-- A new password that is not printed is its owner's own, whichever release writes it.
CREATE FUNCTION clear_one_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.one_time_until := NULL;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER admins_clear_one_time BEFORE UPDATE OF password_hash ON "admins" FOR EACH ROW WHEN (NEW.password_hash <> OLD.password_hash AND NEW.one_time_until IS NOT DISTINCT FROM OLD.one_time_until) EXECUTE FUNCTION clear_one_time();--> statement-breakpoint
CREATE TRIGGER prize_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "prize_events" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER prize_claims_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "prize_claims" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
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
CREATE TRIGGER events_list_prizes AFTER UPDATE OF prizes ON "events" FOR EACH ROW WHEN (NEW.prizes IS DISTINCT FROM OLD.prizes) EXECUTE FUNCTION list_prizes();--> statement-breakpoint
INSERT INTO "content_draft" ("id") VALUES (1);--> statement-breakpoint
CREATE TRIGGER contents_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "contents" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER corrections_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "corrections" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- The texts that are no term, too, stay as the first buyer was told.
CREATE FUNCTION guard_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.content_sha256 IS DISTINCT FROM (SELECT content_sha256 FROM contents WHERE id = NEW.content_id) THEN
    RAISE EXCEPTION 'event % names another SHA-256 than its content', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.content_id IS DISTINCT FROM OLD.content_id AND OLD.archived_at IS NOT NULL THEN
    RAISE EXCEPTION 'the content of event % is archived', NEW.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER events_guard_content BEFORE INSERT OR UPDATE OF content_id, content_sha256 ON "events" FOR EACH ROW EXECUTE FUNCTION guard_content();--> statement-breakpoint
INSERT INTO "house_rules" ("id") VALUES (1);--> statement-breakpoint
CREATE TRIGGER legal_texts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "legal_texts" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER notifications_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "notifications" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- A channel that this transaction removes is still told of it. A test is for one channel, whose delivery the API adds itself.
CREATE FUNCTION fan_out() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.deliveries (notification_id, channel_id)
    SELECT NEW.id, c.id FROM public.channels c WHERE c.removed_at IS NULL OR c.removed_at = now() ORDER BY c.id;
  RETURN NULL;
END $$;--> statement-breakpoint
-- What is told once is told by whoever says it first: the login of the backups says nothing in the name of others.
CREATE TRIGGER notifications_backup BEFORE INSERT ON "notifications" FOR EACH ROW
  WHEN (current_user = 'blockdraw_backup' AND NEW.kind NOT IN ('backup_made', 'backup_failed')) EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER notifications_fan_out AFTER INSERT ON "notifications" FOR EACH ROW WHEN (NEW.kind NOT IN ('test', 'backup_made')) EXECUTE FUNCTION fan_out();--> statement-breakpoint
-- What happens goes on where telling it fails: the log of the database says so then.
CREATE FUNCTION tell(kind text, subject text, event_number integer, facts jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.notifications (kind, subject, event_number, facts) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;
EXCEPTION WHEN OTHERS THEN
  RAISE WARNING 'not told: % %: % (%)', $1, $2, SQLERRM, SQLSTATE;
END $$;--> statement-breakpoint
-- Tells of a row: kind, the columns that name this time, a fact that is always so, and others as name=column.
CREATE FUNCTION tell_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  happened jsonb := to_jsonb(NEW);
BEGIN
  PERFORM public.tell(TG_ARGV[0],
    (SELECT string_agg(happened ->> c, ' ' ORDER BY n) FROM unnest(string_to_array(TG_ARGV[1], ' ')) WITH ORDINALITY AS named (c, n)),
    (happened ->> CASE TG_TABLE_NAME WHEN 'events' THEN 'number' ELSE 'event_number' END)::integer,
    TG_ARGV[2]::jsonb || coalesce((SELECT jsonb_object_agg(split_part(f, '=', 1), happened ->> split_part(f, '=', 2))
      FROM unnest(string_to_array(TG_ARGV[3], ' ')) AS f), '{}'));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER events_tell AFTER UPDATE OF halted_at ON "events" FOR EACH ROW WHEN (NEW.halted_at IS NOT NULL AND NEW.halted_at IS DISTINCT FROM OLD.halted_at)
  EXECUTE FUNCTION tell_row('payments_trouble', 'number halted_at', '{"reason": "halted"}', 'ticketsSold=tickets_sold');--> statement-breakpoint
CREATE TRIGGER changes_tell AFTER INSERT ON "changes" FOR EACH ROW WHEN (NEW.field = 'terms')
  EXECUTE FUNCTION tell_row('payments_trouble', 'event_number field', '{"reason": "terms_taken_back"}', '');--> statement-breakpoint
CREATE TRIGGER node_watch_tell AFTER UPDATE OF paused_at ON "node_watch" FOR EACH ROW WHEN (NEW.paused_at IS NOT NULL AND OLD.paused_at IS NULL)
  EXECUTE FUNCTION tell_row('endpoints', 'waiting_since', '{}', '');--> statement-breakpoint
CREATE TRIGGER solvency_tell AFTER INSERT OR UPDATE ON "solvency" FOR EACH ROW WHEN (NEW.state <> 'covered' AND NEW.read_at >= NEW.since + interval '10 minutes')
  EXECUTE FUNCTION tell_row('cover_short', 'since', '{}', 'state=state held=held required=required');--> statement-breakpoint
CREATE TRIGGER endings_tell AFTER INSERT ON "endings" FOR EACH ROW WHEN (NEW.kind = 'refunds')
  EXECUTE FUNCTION tell_row('refund_mode', 'event_number', '{}', 'reason=reason');--> statement-breakpoint
CREATE TRIGGER draws_tell AFTER INSERT ON "draws" FOR EACH ROW
  EXECUTE FUNCTION tell_row('drawn', 'event_number', '{}', 'winningTicket=winning_ticket ticketsSold=tickets_sold');--> statement-breakpoint
CREATE TRIGGER prize_claims_tell AFTER INSERT ON "prize_claims" FOR EACH ROW
  EXECUTE FUNCTION tell_row('claimed', 'event_number place wallet', '{}', 'place=place wallet=wallet');--> statement-breakpoint
-- Sessions are kept for 30 days, and so long a browser is known; a program, which has none, is known by its address.
CREATE FUNCTION tell_new_browser() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM public.sessions s WHERE s.admin_id = NEW.admin_id AND s.token_hash <> NEW.token_hash
    AND CASE WHEN NEW.browser_hash IS NULL THEN s.browser_hash IS NULL AND s.client_address = NEW.client_address
      ELSE s.browser_hash = NEW.browser_hash END) THEN
    PERFORM public.tell('new_browser', NEW.admin_id || ' ' || extract(epoch FROM NEW.created_at), NULL, jsonb_build_object('address', NEW.client_address,
      'username', (SELECT a.username FROM public.admins a WHERE a.id = NEW.admin_id)));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER sessions_tell AFTER INSERT ON "sessions" FOR EACH ROW EXECUTE FUNCTION tell_new_browser();--> statement-breakpoint
-- A turn to claim a prize ends by the time of blocks alone, with no row of its own: what is public has changed with it. Each lasts as long as the first.
CREATE FUNCTION end_turns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM draws d JOIN events e ON e.number = d.event_number
    WHERE OLD.block_time < d.turns_from + make_interval(days => 4 * e.claim_days)
      AND floor(extract(epoch FROM OLD.block_time - d.turns_from) / (e.claim_days * 86400.0))
        < floor(extract(epoch FROM NEW.block_time - d.turns_from) / (e.claim_days * 86400.0))) THEN
    UPDATE public_version SET version = version + 1;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER scan_cursor_turns AFTER UPDATE OF block_time ON "scan_cursor" FOR EACH ROW EXECUTE FUNCTION end_turns();--> statement-breakpoint
CREATE TRIGGER outgoing_cursor_turns AFTER UPDATE OF block_time ON "outgoing_cursor" FOR EACH ROW EXECUTE FUNCTION end_turns();--> statement-breakpoint
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
END $$;--> statement-breakpoint
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
CREATE TRIGGER events_guard_content_winners BEFORE UPDATE OF winners, prizes, content_id ON "events" FOR EACH ROW WHEN (NEW.content_id IS NOT NULL) EXECUTE FUNCTION guard_content_winners();--> statement-breakpoint
-- A wallet is ours by being an event's, and by nothing else: no program adds one. What was paid to it in blocks that were seen
-- before was not paid to the raffle.
CREATE FUNCTION watch_wallet() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.operator_wallets (address, since) VALUES (NEW.operator_wallet, public.next_moment()) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER events_watch_wallet AFTER INSERT OR UPDATE OF operator_wallet ON "events" FOR EACH ROW
  WHEN (NEW.operator_wallet IS NOT NULL) EXECUTE FUNCTION watch_wallet();--> statement-breakpoint
-- The book of this raffle: named once, by the wallet that event 1 first has.
CREATE FUNCTION open_book() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.house_book (book) VALUES ('0x' || encode(sha256(convert_to(
    'blockdraw-book-1,' || NEW.chain_id || ',' || NEW.operator_wallet || ',' || extract(epoch FROM NEW.sale_start)::bigint, 'UTF8')), 'hex'))
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER events_open_book AFTER INSERT OR UPDATE OF operator_wallet ON "events" FOR EACH ROW
  WHEN (NEW.number = 1 AND NEW.operator_wallet IS NOT NULL) EXECUTE FUNCTION open_book();--> statement-breakpoint
CREATE TRIGGER house_book_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "house_book" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER refund_decisions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "refund_decisions" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- Every payment that has to go back: all of an event that ended in refunds, else what got no ticket.
CREATE VIEW owed_payments AS
SELECT p.id, p.transaction_hash, p.payer, p.wallet, p.token, p.event_number, p.units, p.ticket_count,
  p.block_number, p.block_time, p.transaction_index, p.first_log_index
FROM payments p JOIN endings o ON o.event_number = p.event_number AND o.kind = 'refunds' WHERE p.ticket_count > 0
UNION ALL
SELECT p.id, p.transaction_hash, p.payer, p.wallet, p.token, p.event_number, p.units, p.ticket_count,
  p.block_number, p.block_time, p.transaction_index, p.first_log_index
FROM payments p WHERE p.ticket_number IS NULL AND p.reason NOT IN ('early', 'held')
  AND NOT EXISTS (SELECT FROM own_money m
    WHERE m.transaction_hash = p.transaction_hash AND m.payer = p.payer AND m.wallet = p.wallet);--> statement-breakpoint
-- What `owed_payments` has, from the columns of two indexes alone and in their order, so that no number of payers is sorted. Own
-- money is taken off again.
CREATE VIEW owed_units AS
(SELECT p.payer, p.token, p.event_number, p.units::numeric AS units, p.ticket_count FROM payments p
  WHERE p.ticket_count > 0 AND p.event_number = ANY (ARRAY(SELECT event_number FROM endings WHERE kind = 'refunds'))
  ORDER BY p.payer, p.token, p.event_number)
UNION ALL
(SELECT p.payer, p.token, p.event_number, p.units::numeric, 0 FROM payments p
  WHERE p.ticket_number IS NULL AND p.reason NOT IN ('early', 'held') ORDER BY p.payer, p.token, p.event_number)
UNION ALL
SELECT p.payer, p.token, p.event_number, -p.units::numeric, 0 FROM own_money m JOIN payments p USING (transaction_hash, payer, wallet)
  WHERE p.ticket_number IS NULL AND p.reason NOT IN ('early', 'held');--> statement-breakpoint
-- Who is owed what, a line a payer and token, from facts alone: a rewind or a restored backup changes it by being read.
CREATE VIEW refund_dues AS
SELECT payer, token, owed, by_hand, by_register, greatest(0, owed - by_hand) AS total,
  greatest(0, owed - by_hand) - by_register AS due, had_tickets, stolen_at,
  CASE WHEN sent_at IS NULL THEN false ELSE coalesce(sent_at >= (SELECT min(o.block_time)
    FROM owed_payments o WHERE o.payer = sums.payer AND o.token = sums.token), false) END AS is_unjudged
FROM (
  SELECT payer, token, coalesce(sum(owed), 0) AS owed, coalesce(sum(by_hand), 0) AS by_hand, coalesce(max(remembered), 0) AS by_register,
    coalesce(max(tickets), 0) > 0 AS had_tickets, max(stolen) AS stolen_at, max(sent_at) AS sent_at
  FROM (
    SELECT payer, token, units AS owed, NULL::numeric AS by_hand, NULL::numeric AS remembered, ticket_count AS tickets,
      NULL::timestamptz AS stolen, NULL::timestamptz AS sent_at FROM owed_units
    UNION ALL
    SELECT p.payer, p.token, NULL, NULL, NULL, NULL, p.block_time, NULL
    FROM operator_wallets w JOIN owed_payments p ON p.wallet = w.address AND p.block_time >= w.stolen_from
    WHERE w.stolen_from IS NOT NULL
    UNION ALL
    SELECT t.recipient, t.token, NULL, t.units, NULL, NULL, NULL, NULL
    FROM outgoing_transfers t JOIN transfer_marks m USING (transaction_hash, wallet, recipient) WHERE m.marked_as = 'refund'
    UNION ALL
    SELECT t.recipient, t.token, NULL, NULL, NULL, NULL, NULL, t.block_time
    FROM outgoing_transfers t JOIN operator_wallets w ON w.address = t.wallet AND t.block_time < coalesce(w.stolen_from, 'infinity')
    WHERE NOT EXISTS (SELECT FROM transfer_marks m
      WHERE m.transaction_hash = t.transaction_hash AND m.wallet = t.wallet AND m.recipient = t.recipient)
    UNION ALL
    (SELECT r.debtor, r.token, NULL, NULL, r.total, NULL, NULL, NULL FROM register_payments r ORDER BY r.debtor, r.token)
  ) facts GROUP BY payer, token
) sums WHERE owed > 0 OR by_hand > 0 OR by_register > 0;
