CREATE TABLE "voided_payments" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"transaction_hash" text NOT NULL,
	"payer" text NOT NULL,
	"wallet" text NOT NULL,
	"event_number" integer,
	"units" numeric(78, 0) NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"ticket_number" integer,
	"ticket_count" integer NOT NULL,
	"voided_at" timestamp with time zone DEFAULT now() NOT NULL,
	"why" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "claims" ADD COLUMN "manual_answered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scan_cursor" ADD COLUMN "newest_block_time" timestamp with time zone;--> statement-breakpoint
CREATE TRIGGER voided_payments_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "voided_payments" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
