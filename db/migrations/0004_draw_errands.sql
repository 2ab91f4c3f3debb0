CREATE TABLE "errands" (
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
ALTER TABLE "anchors" ADD COLUMN "ledger_sha256" text NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "redrawn_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "anchor_scanned" bigint;--> statement-breakpoint
ALTER TABLE "errands" ADD CONSTRAINT "errands_event_number_events_number_fk" FOREIGN KEY ("event_number") REFERENCES "public"."events"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "errands_open" ON "errands" USING btree ("kind","event_number") WHERE "errands"."answered_at" is null;