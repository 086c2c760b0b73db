import { Migration } from '@mikro-orm/migrations';

/** Users have a picture, and it is known when they were confirmed, signed in, and last did anything. */
export class UserActivityAndAvatars extends Migration {
  override up(): void {
    this.addSql(`
      alter table users
        add column avatar text,
        add column confirmed_at timestamptz(3),
        add column current_sign_in_at timestamptz(3),
        add column last_sign_in_at timestamptz(3),
        add column last_activity_on date;
      update users set confirmed_at = created_at;
    `);
  }
}
