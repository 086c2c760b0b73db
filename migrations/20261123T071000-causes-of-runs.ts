import { Migration } from '@mikro-orm/migrations';

/**
 * Why a run did not fire, as a word beside the sentence: lists and pages choose by it. Runs of before get theirs from
 * the sentences that were written then.
 */
export class CausesOfRuns extends Migration {
  override up() {
    this.addSql(`
      alter table pipeline_schedule_runs add column cause text check (cause in (
        'service_down', 'inactive', 'daily_limit', 'owner_missing', 'owner_blocked', 'owner_without_rights',
        'ref_protected', 'ref_missing', 'pipelines_disabled', 'project_archived', 'project_marked', 'project_importing',
        'values_unreadable', 'never_runs', 'not_started'));

      -- What became of a schedule is the same with a cause as without.
      alter table pipeline_schedule_runs disable trigger pipeline_schedule_runs_changed;
      update pipeline_schedule_runs set cause = case
        when state = 'missed' then 'service_down'
        when reason like 'The schedule was deactivated%' then 'inactive'
        when reason like 'The schedule has no owner%' or reason like '%pressed play is gone.' then 'owner_missing'
        when reason like '%may not create pipelines%' then 'owner_without_rights'
        when reason like '%may not run pipelines on the protected%' then 'ref_protected'
        when reason like 'The branch % does not exist.' or reason like 'The tag % does not exist.' then 'ref_missing'
        when reason like 'Pipelines are switched off%' then 'pipelines_disabled'
        when reason = 'The project is archived.' then 'project_archived'
        when reason = 'The project is marked for deletion.' then 'project_marked'
        when reason = 'The repository is still being imported.' then 'project_importing'
        when reason like '%cannot be decrypted.' then 'values_unreadable'
        when reason like 'The schedule does not run again%' then 'never_runs'
        when reason like 'The service could not start it%' then 'not_started'
        when reason like 'The owner % is %' or reason like 'The user % is %' then 'owner_blocked'
        end
       where state in ('failed', 'missed', 'skipped');
      alter table pipeline_schedule_runs enable trigger pipeline_schedule_runs_changed;
    `);
  }
}
