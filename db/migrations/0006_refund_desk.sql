CREATE TABLE "refund_readdresses" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"row_id" bigint NOT NULL,
	"recipient" text NOT NULL,
	"signature" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	"proof" text
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
ALTER TABLE "refund_row_payments" DROP CONSTRAINT "refund_row_payments_payment_id_payments_id_fk";
--> statement-breakpoint
ALTER TABLE "operator_transfers" ADD COLUMN "block_hash" text;--> statement-breakpoint
ALTER TABLE "refund_rows" ADD COLUMN "hold" text;--> statement-breakpoint
ALTER TABLE "refund_rows" ADD COLUMN "released_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refund_rows" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refund_rows" ADD COLUMN "nonce_bound" bigint;--> statement-breakpoint
ALTER TABLE "refund_rows" ADD COLUMN "offered_wallet" text;--> statement-breakpoint
ALTER TABLE "refund_rows" ADD COLUMN "offered_units" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "refund_rows" ADD COLUMN "offered_transactions" integer;--> statement-breakpoint
ALTER TABLE "refund_rows" ADD COLUMN "settled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refund_readdresses" ADD CONSTRAINT "refund_readdresses_row_id_refund_rows_id_fk" FOREIGN KEY ("row_id") REFERENCES "public"."refund_rows"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refund_readdresses_open" ON "refund_readdresses" USING btree ("id") WHERE "refund_readdresses"."answered_at" is null;--> statement-breakpoint
ALTER TABLE "refund_row_payments" ADD CONSTRAINT "refund_row_payments_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operator_transfers_row" ON "operator_transfers" USING btree ("row_id");--> statement-breakpoint
CREATE INDEX "operator_transfers_block" ON "operator_transfers" USING btree ("block_number");--> statement-breakpoint
CREATE INDEX "refund_rows_of_payer" ON "refund_rows" USING btree ("payer");--> statement-breakpoint
CREATE INDEX "refund_rows_of_recipient" ON "refund_rows" USING btree ("recipient");--> statement-breakpoint
CREATE INDEX "refund_rows_open" ON "refund_rows" USING btree ("offered_wallet") WHERE "refund_rows"."state" in ('offered', 'sent');--> statement-breakpoint
CREATE INDEX "refund_rows_unchecked" ON "refund_rows" USING btree ("batch_id") WHERE "refund_rows"."checked_at" is null;