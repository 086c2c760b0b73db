import { Migration } from '@mikro-orm/migrations';

/** The administrator's first password and token, sealed for a day so that they can be shown again. */
export class InitialCredentials extends Migration {
  override up(): void {
    this.addSql(`
      create table instance_initial_credentials (
        only_one boolean primary key default true check (only_one),
        user_id bigint not null references users (id) on delete cascade,
        token_id bigint references personal_access_tokens (id) on delete set null,
        password_made boolean not null,
        sealed_password bytea,
        sealed_token bytea,
        created_at timestamptz(3) not null
      );
      create index instance_initial_credentials_user on instance_initial_credentials (user_id);
      create index instance_initial_credentials_token on instance_initial_credentials (token_id);`);
  }
}
