import { Migration } from '@mikro-orm/migrations';

/** Every process hears that settings were changed, by whichever program. */
export class TellSettings extends Migration {
  override up(): void {
    this.addSql(`
      create function tell_settings() returns trigger language plpgsql as $$
        begin
          perform pg_notify('capstan_settings', '');
          return null;
        end $$;
      create trigger instance_settings_changed after insert or update or delete or truncate on instance_settings
        for each statement execute function tell_settings();
    `);
  }
}
