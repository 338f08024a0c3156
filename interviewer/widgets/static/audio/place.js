// Where this page is, and why it may have no microphone.

/** Why a page of this kind cannot have a microphone; "" if it can. `scope` is its window. */
export function problemOfPlace(scope) {
  const { hostname, protocol } = scope.location;
  if (protocol === "vscode-webview:" || /(^|\.)vscode-(cdn|resource|webview)\./.test(hostname)) return "vscode";
  if (/(^|\.)(colab\.research\.google|[\w-]*colab[\w-]*\.googleusercontent)\.com$/.test(hostname)) return "colab";
  if (!scope.isSecureContext) return "insecure";
  const policy = scope.document.permissionsPolicy ?? scope.document.featurePolicy;
  if (policy && !policy.allowsFeature("microphone")) return "frame";
  return scope.navigator.mediaDevices?.getUserMedia && scope.AudioWorkletNode ? "" : "unsupported";
}

/** The problem that an error of getUserMedia stands for. */
export function problemOfError(error) {
  const known = {
    NotAllowedError: "permission_denied",
    SecurityError: "permission_denied",
    NotFoundError: "no_device",
    OverconstrainedError: "no_device",
    NotReadableError: "device_busy",
    AbortError: "device_busy",
  };
  return known[error?.name] ?? "sound_failed";
}
