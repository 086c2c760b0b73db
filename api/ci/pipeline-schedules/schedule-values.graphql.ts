import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { showSecret } from '../../../shared/core/bytes/answer-bytes.js';
import type { ListedVariable } from '../../../shared/ci/pipeline-schedules/schedule-variable-list.js';
import { connectionType } from '../../core/graphql/connections.js';
import { globalId } from '../../core/graphql/global-ids.js';

export const CiVariableType = { ENV_VAR: 'env_var', FILE: 'file' } as const;
registerEnumType(CiVariableType, {
  name: 'CiVariableType',
  description: 'How a variable reaches a job.',
  valuesConfig: {
    ENV_VAR: { description: 'As a variable of its environment.' },
    FILE: { description: 'As a file; the variable of the environment is its path.' },
  },
});

@ObjectType('PipelineScheduleVariable', { description: 'A variable of the pipelines of a schedule.' })
export class ScheduleVariableType {
  constructor(private readonly variable: ListedVariable) {}

  @Field(() => ID, { description: 'Global id.' })
  get id(): string {
    return globalId('Ci::PipelineScheduleVariable', this.variable.id);
  }

  @Field(() => String, { nullable: true, description: 'Name.' })
  get key(): string {
    return this.variable.key;
  }

  @Field(() => String, { nullable: true, description: 'Value.' })
  get value(): string {
    return showSecret(this.variable.value);
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether references to other variables are left as they are.' })
  get raw(): boolean {
    return this.variable.raw;
  }

  @Field(() => CiVariableType, { nullable: true, description: 'How it reaches a job.' })
  get variableType(): string {
    return this.variable.variable_type;
  }
}

export const VariableConnection = connectionType(ScheduleVariableType, 'PipelineScheduleVariable');
