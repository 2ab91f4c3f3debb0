ALTER TABLE "sessions" ADD COLUMN "device_hash" text;--> statement-breakpoint
CREATE INDEX "login_failures_range" ON "login_failures" USING btree ("client_address" text_pattern_ops,"at");--> statement-breakpoint
CREATE INDEX "claims_unresolved_range" ON "claims" USING btree ("client_address" text_pattern_ops) WHERE "claims"."client_address" is not null;--> statement-breakpoint
CREATE INDEX "claims_given_up" ON "claims" USING btree ("created_at") WHERE "claims"."status" = 'not_found';