// Swagger UI over openapi.yaml. `validatorUrl: null`, or it would show our description to a server elsewhere.
window.ui = SwaggerUIBundle({
  url: "openapi.yaml",
  dom_id: "#docs",
  presets: [SwaggerUIBundle.presets.apis],
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
});
