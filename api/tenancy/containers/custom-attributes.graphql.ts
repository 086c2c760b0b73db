import { Field, ObjectType } from 'type-graphql';
import type { CustomAttributeRecord } from '../../../shared/tenancy/containers/custom-attribute.entity.js';
import { mayAskAttributes } from '../../../shared/tenancy/containers/custom-attribute.serializer.js';
import type { Batch } from '../../core/graphql/batch.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';

/** What administrators noted about a user, group or project. */
@ObjectType('CustomAttribute', {
  description: 'Custom attribute of a user, group, or project, set by administrators.',
  simpleResolvers: true,
})
export class CustomAttributeType {
  @Field(() => String, { description: 'Key of the custom attribute.' })
  key!: string;

  @Field(() => String, { description: 'Value of the custom attribute.' })
  value!: string;
}

/** The attributes behind a field `customAttributes`: for administrators, null for everybody else. */
export async function loadCustomAttributes(
  request: GraphqlRequest,
  batch: Batch<number, CustomAttributeRecord[]>,
  id: number,
): Promise<CustomAttributeRecord[] | null> {
  return mayAskAttributes(request.ctx) ? ((await request.load(batch, id)) ?? []) : null;
}

export const CUSTOM_ATTRIBUTES = {
  nullable: true,
  description: 'Custom attributes set by administrators; null for users who are not administrators.',
} as const;
