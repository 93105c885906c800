// The headers of the site's files, in the form of the platform's file _headers.

/** Reads the policy from the page. */
export function headers(html) {
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1];
  if (!policy) throw new Error("index.html has no policy");
  return `# Written by the build. Only a header can forbid frames; the rest of the policy is the page's own.
/*
  Content-Security-Policy: ${policy}; frame-ancestors 'none'
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp
  Cross-Origin-Resource-Policy: same-origin
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
# These have a hash of what they hold in their names.
/assets/*
  Cache-Control: public, max-age=31536000, immutable
/files/*
  Cache-Control: public, max-age=31536000, immutable
/*.onnx
  Content-Type: application/octet-stream
/*.safetensors
  Content-Type: application/octet-stream
/*.bcmap
  Content-Type: application/octet-stream
`;
}
