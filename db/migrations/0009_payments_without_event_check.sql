ALTER TABLE "payments" DROP CONSTRAINT "payments_event_number_events_number_fk";
