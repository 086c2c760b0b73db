import { Migration } from '@mikro-orm/migrations';

/** The release of the zone data belongs to the instance, and is named like its other tables. */
export class InstanceZoneData extends Migration {
  override up(): void {
    this.addSql(`alter table pipeline_schedule_zone_data rename to instance_zone_data;`);
  }
}
