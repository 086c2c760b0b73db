import { Field, InputType } from 'type-graphql';
import { SortDirectionEnum } from './environment-enums.graphql.js';

@InputType('DeploymentsOrderByInput', { description: 'Order of deployments: one of its fields.' })
export class DeploymentsOrderByInput {
  @Field(() => SortDirectionEnum, { nullable: true, description: 'By when they were made.' })
  createdAt?: 'asc' | 'desc' | null;

  @Field(() => SortDirectionEnum, { nullable: true, description: 'By when they ended.' })
  finishedAt?: 'asc' | 'desc' | null;
}
