ALTER TABLE "admins" ADD COLUMN "otp_pending_secret" "bytea";--> statement-breakpoint
ALTER TABLE "login_failures" ADD COLUMN "account" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "client_address" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "created_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "login_failures_account" ON "login_failures" USING btree ("account","at");