import { Migration } from '@mikro-orm/migrations';

/** Tokens that come of each other by rotation, tokens of projects and groups, and what lists filter and order by. */
export class TokenKinds extends Migration {
  override up(): void {
    this.addSql(`
      alter table personal_access_tokens
        add column family_id bigint references personal_access_tokens (id) on delete cascade,
        add column project_id bigint references projects (id) on delete cascade,
        add column namespace_id bigint references namespaces (id) on delete cascade,
        add column access_level integer,
        add check (project_id is null or namespace_id is null);
      create index personal_access_tokens_family on personal_access_tokens (family_id) where family_id is not null;
      create index personal_access_tokens_project on personal_access_tokens (project_id, id) where project_id is not null;
      create index personal_access_tokens_namespace on personal_access_tokens (namespace_id, id)
        where namespace_id is not null;
      create index personal_access_tokens_search on personal_access_tokens using gin (name gin_trgm_ops);
      create index personal_access_tokens_name on personal_access_tokens (lower(name), id);
      create index personal_access_tokens_created on personal_access_tokens (created_at, id);
      create index personal_access_tokens_expiry on personal_access_tokens (coalesce(expires_on, 'infinity'::date), id);
      create index personal_access_tokens_use on personal_access_tokens
        (coalesce(last_used_at, '-infinity'::timestamptz), id);
      create index personal_access_tokens_revoked on personal_access_tokens (id) where revoked;
      create index users_bots on users (id) where bot;
    `);
  }
}
