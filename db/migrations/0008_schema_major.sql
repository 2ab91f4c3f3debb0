CREATE TABLE "schema_major" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"major" integer NOT NULL,
	CONSTRAINT "schema_major_one" CHECK ("schema_major"."id" = 1)
);
--> statement-breakpoint
INSERT INTO "schema_major" ("id", "major") VALUES (1, 1);
