import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { GraphqlRequest } from './request.js';

@ObjectType('QueryComplexity', { description: 'Complexity score of a query, and its limit.', simpleResolvers: true })
export class QueryComplexityType {
  @Field(() => Int, { nullable: true, description: 'Complexity score of the whole query, including this field.' })
  score!: number;

  @Field(() => Int, { nullable: true, description: 'Maximum complexity of a query by this caller.' })
  limit!: number;
}

@Resolver()
export class QueryComplexityResolver {
  @Query(() => QueryComplexityType, { nullable: true, description: 'Complexity of this query.' })
  queryComplexity(@Ctx() { score, limit }: GraphqlRequest): QueryComplexityType {
    return { score, limit };
  }
}
