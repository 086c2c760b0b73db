/** A flag that switches something of the service; there is none, so nothing can be set. */
export interface FeatureFlag {
  readonly name: string;
  readonly state: string;
}
