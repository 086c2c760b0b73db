import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { showSecret } from '../../../shared/core/bytes/answer-bytes.js';
import type { ListedVariable } from '../../../shared/ci/pipeline-schedules/schedule-variable-list.js';
import { connectionType } from '../../core/graphql/connections.js';
import { globalId } from '../../core/graphql/global-ids.js';

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
  constructor(private readonly variable: ListedVariable) {}

  @Field(() => ID, { description: 'Global ID of the variable.' })
  get id(): string {
    return globalId('Ci::PipelineScheduleVariable', this.variable.id);
  }

  @Field(() => String, { nullable: true, description: 'Name of the variable.' })
  get key(): string {
    return this.variable.key;
  }

  @Field(() => String, { nullable: true, description: 'Value of the variable.' })
  get value(): string {
    return showSecret(this.variable.value);
  }

  @Field(() => Boolean, { nullable: true, description: 'Indicates references to other variables are not expanded.' })
  get raw(): boolean {
    return this.variable.raw;
  }

  @Field(() => CiVariableType, { nullable: true, description: 'Type of the variable.' })
  get variableType(): string {
    return this.variable.variable_type;
  }
}

export const VariableConnection = connectionType(ScheduleVariableType, 'PipelineScheduleVariable');
