/** Parameters of an operation by arguments of GraphQL, where null is as good as left out. */
export const withoutNulls = (params: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== undefined));
