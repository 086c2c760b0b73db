import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { showSecret } from '../../../shared/core/bytes/answer-bytes.js';
import type { ListedVariable } from '../../../shared/ci/pipeline-schedules/schedule-variable-list.js';
import { connectionType } from '../../core/graphql/connections.js';
import { globalId } from '../../core/graphql/global-ids.js';
import { RecordField } from '../../core/graphql/records.js';

export const CiVariableType = { ENV_VAR: 'env_var', FILE: 'file' } as const;
registerEnumType(CiVariableType, {
  name: 'CiVariableType',
  description: 'Type of a variable: how it is passed to a job.',
  valuesConfig: {
    ENV_VAR: { description: 'Variable is passed as an environment variable.' },
    FILE: { description: 'Variable is passed as a file; the environment variable contains the path of the file.' },
  },
});

@ObjectType('PipelineScheduleVariable', { description: 'Variable of the pipelines of a schedule.' })
export class ScheduleVariableType {
  constructor(readonly record: ListedVariable) {}

  @Field(() => ID, { description: 'Global ID of the variable.' })
  get id(): string {
    return globalId('Ci::PipelineScheduleVariable', this.record.id);
  }

  @RecordField(() => String, { nullable: true, description: 'Name of the variable.' })
  declare readonly key: string;

  @Field(() => String, { nullable: true, description: 'Value of the variable.' })
  get value(): string {
    return showSecret(this.record.value);
  }

  @RecordField(() => Boolean, {
    nullable: true,
    description: 'Indicates references to other variables are not expanded.',
  })
  declare readonly raw: boolean;

  @RecordField(() => CiVariableType, { nullable: true, description: 'Type of the variable.' })
  declare readonly variableType: string;
}

export const VariableConnection = connectionType(ScheduleVariableType, 'PipelineScheduleVariable');
