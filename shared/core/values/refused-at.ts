/** Where a request was refused. */
export interface RefusedAt {
  requestId: string;
  ip: string | null;
  /** Method and pattern of its route, or the field of GraphQL; never its path. */
  route: string;
  status: number;
  /** The least role that the route's operation needs; null where it needs none. */
  requiredRole: string | null;
  /** What refused it where no operation was asked: the credential, or that there is no such route. */
  check?: 'credential' | 'route' | undefined;
}
