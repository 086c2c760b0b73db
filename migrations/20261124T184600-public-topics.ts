import { Migration } from '@mikro-orm/migrations';

/** How many public projects have a topic is kept too: of others only who sees them may be told. */
export class PublicTopics extends Migration {
  override up(): void {
    this.addSql(`
      alter table topics add column public_projects_count integer not null default 0;
      alter table project_topics add column public boolean not null default false;
      update project_topics pt set public = true
        from projects p
       where p.id = pt.project_id and p.visibility = 'public' and p.removal_started_at is null;
      update topics t set public_projects_count = c.count
        from (select topic_id, count(*) as count from project_topics where public group by topic_id) c
       where c.topic_id = t.id;
      create index topics_public_popularity on topics (public_projects_count desc, id);
      create index project_topics_hidden on project_topics (topic_id, project_id) where not public;

      create function set_topic_public() returns trigger language plpgsql as $$
      begin
        new.public := exists (
          select 1 from projects p
           where p.id = new.project_id and p.visibility = 'public' and p.removal_started_at is null);
        return new;
      end $$;
      create trigger project_topics_public before insert on project_topics
        for each row execute function set_topic_public();

      create or replace function count_project_topics() returns trigger language plpgsql as $$
      begin
        perform 1 from topics t where t.id in (select c.topic_id from changed c) order by t.id for no key update;
        update topics t
           set total_projects_count = t.total_projects_count + case tg_op when 'INSERT' then c.count else - c.count end,
               public_projects_count = t.public_projects_count + case tg_op when 'INSERT' then c.open else - c.open end
          from (select topic_id, count(*) as count, count(*) filter (where public) as open
                  from changed group by topic_id) c
         where t.id = c.topic_id;
        return null;
      end $$;

      -- In the order of the topics' ids, as above.
      create function follow_public_topics() returns trigger language plpgsql as $$
      begin
        perform 1 from topics t join project_topics pt on pt.topic_id = t.id
          where pt.project_id = new.id order by t.id for no key update of t;
        with changed as (
          update project_topics pt set public = not pt.public
           where pt.project_id = new.id
             and pt.public <> (new.visibility = 'public' and new.removal_started_at is null)
          returning pt.topic_id, pt.public)
        update topics t set public_projects_count = t.public_projects_count + case when c.public then 1 else -1 end
          from changed c where t.id = c.topic_id;
        return null;
      end $$;
      create trigger projects_published after update on projects for each row
        when (old.visibility <> new.visibility
              or (old.removal_started_at is null) <> (new.removal_started_at is null))
        execute function follow_public_topics();`);
  }
}
