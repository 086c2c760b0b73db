/** A CI/CD variable of the instance. None can be set until jobs run that would be given it. */
export interface InstanceVariable {
  readonly key: string;
  readonly value: string;
  readonly description: string | null;
  readonly variable_type: string;
  readonly protected: boolean;
  readonly masked: boolean;
  readonly raw: boolean;
}
