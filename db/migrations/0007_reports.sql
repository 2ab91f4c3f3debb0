CREATE TABLE "reports" (
	"name" text PRIMARY KEY NOT NULL,
	"facts" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
