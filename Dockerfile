# The command line program and the page, and nothing else: no shell, no system.
#
#   docker build -t cerasum .                      (or: make docker, which adds commit and date)
#   docker run --rm -p 8080:8080 cerasum           the page, and summaries over HTTP, on http://localhost:8080
#   docker run --rm -i cerasum summarize - < a.txt
#
# What it holds needs no network when it runs. Building asks the module proxy and
# the npm registry, whose answers go.sum and package-lock.json hold to their hashes.

ARG GO=1.26.8
ARG NODE=22.23.3
ARG DEBIAN=bookworm

FROM docker.io/library/node:${NODE}-${DEBIAN}-slim AS node

FROM docker.io/library/golang:${GO}-${DEBIAN} AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
 && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
WORKDIR /src
# First what changes seldom, so that a change of the source fetches nothing again.
COPY go.mod go.sum ./
RUN go mod download
COPY package.json package-lock.json ./
COPY js/package.json js/
COPY js/bin js/bin
COPY web/demo/package.json web/demo/
COPY web/extension/package.json web/extension/
COPY wasm/edge/package.json wasm/edge/
RUN npm ci --no-audit --no-fund
COPY . .
ARG COMMIT=
# Static, for there is no C library where it runs: without onnxruntime.
RUN touch node_modules/.package-lock.json \
 && make site \
 && CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -buildid= -X main.commit=${COMMIT}" -o build/out/bin/cerasum ./cmd/cerasum
# Every file with the time of the commit: two builds of one commit are the same.
ARG SOURCE_DATE_EPOCH=0
RUN mkdir -p /image/cerasum /image/etc/ssl/certs /image/tmp /image/home \
 && cp build/out/bin/cerasum LICENSE /image/cerasum/ \
 && node --input-type=module -e 'import { programNotices } from "./build/notices.mjs"; console.log(programNotices(".", { CGO_ENABLED: "0" }))' > /image/cerasum/NOTICES.txt \
 && cp -R build/out/site /image/cerasum/site \
 && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
 && echo 'cerasum:x:65532:65532::/home:/' > /image/etc/passwd \
 && echo 'cerasum:x:65532:' > /image/etc/group \
 && chown 65532:65532 /image/home && chmod 1777 /image/tmp \
 && find /image -depth -exec touch -h -d "@${SOURCE_DATE_EPOCH}" '{}' +

FROM scratch
COPY --from=build /image /
ARG VERSION=
ARG COMMIT=
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="cerasum" \
      org.opencontainers.image.description="Summarizes many documents at once, by quoting them: the page and the command line program." \
      org.opencontainers.image.url="https://github.com/cerasum/cerasum" \
      org.opencontainers.image.source="https://github.com/cerasum/cerasum" \
      org.opencontainers.image.licenses="Apache-2.0 AND CC-BY-SA-4.0 AND LicenseRef-non-commercial" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${COMMIT}" \
      org.opencontainers.image.created="${CREATED}"
ENV HOME=/home
# A number, so that a platform sees that it is not root.
USER 65532:65532
WORKDIR /home
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=5s CMD ["/cerasum/cerasum", "serve", "--check"]
ENTRYPOINT ["/cerasum/cerasum"]
CMD ["serve", "--host", "0.0.0.0", "--api"]
