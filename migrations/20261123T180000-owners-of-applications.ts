import { Migration } from '@mikro-orm/migrations';

/** An application of a person goes with them; the others are the instance's. */
export class OwnersOfApplications extends Migration {
  override up(): void {
    this.addSql(`
      alter table oauth_applications add column owner_id bigint references users (id) on delete cascade;
      create index oauth_applications_owner on oauth_applications (owner_id, id) where owner_id is not null;`);
  }
}
